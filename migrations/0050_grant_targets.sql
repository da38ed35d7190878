-- The resources that an authorization named (RFC 8707), and the sign-in that it depends on (RFC 9068 §2.2.1).
-- resources null: none was named, so its tokens are for the default audience. acr null: not stored, by the version before.
-- auth_time: seconds since 1970; null: unknown.
alter table grants add column resources text[];
alter table grants add column auth_time bigint;
alter table grants add column acr text;

-- The resources that the page of a consent has shown. null: the default audience, also of earlier consents.
alter table consents add column resources text[];

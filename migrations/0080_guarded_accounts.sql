-- The operator token that made the account, if the token is limited to organizations. It may add the account to these.
alter table users add column created_by_token text;

-- Made by an operator token that is limited to organizations: it adds no account that exists elsewhere.
alter table scim_tokens add column is_limited boolean not null default false;

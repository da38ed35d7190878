-- Identity providers of organizations, whose assertions give user tokens (ID-JAG).
alter table apps add column identity_assertions boolean not null default false;

create table identity_providers (
  organization_id text primary key references organizations on delete cascade,
  issuer text not null,
  client_ids text[],
  jwks_uri text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index identity_providers_issuer on identity_providers (issuer, organization_id);

-- The user of a subject that the first assertion named by a verified e-mail address. Later ones are found by the subject.
create table asserted_subjects (
  organization_id text not null references identity_providers on delete cascade,
  issuer text not null,
  subject text not null,
  user_id text not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (organization_id, issuer, subject)
);
create unique index asserted_subjects_user on asserted_subjects (organization_id, issuer, user_id);
create index asserted_subjects_of_user on asserted_subjects (user_id);

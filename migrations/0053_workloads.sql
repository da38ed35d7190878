-- Keys that an app publishes, and workloads that an app or a key set trusts: their tokens stand for a secret.
alter table apps add column jwks_uri text;
alter table apps add column workloads jsonb not null default '[]';
alter table key_sets add column workloads jsonb not null default '[]';

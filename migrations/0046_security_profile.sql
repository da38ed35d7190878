-- Apps whose authorization requests must be pushed (RFC 9126 §6), and apps under FAPI 2.0.
alter table apps
  add column require_pushed_authorization_requests boolean not null default false,
  add column security_profile text not null default 'none';

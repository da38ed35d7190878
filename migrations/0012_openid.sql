-- OpenID sign-in: apps that may learn who somebody is.

-- Off unless the operator allows it. Where the browser may go after a sign-out that the app asked for.
alter table apps
  add column openid boolean not null default false,
  add column post_logout_redirect_uris text[] not null default '{}';

-- What a person agreed to share of who they are.
alter table consents add column openid_scopes text[] not null default '{}';

-- What ID tokens of this authorization say: scopes, nonce, and how and when the person signed in.
-- null: it was not an OpenID request.
alter table grants add column openid jsonb;

-- The address that is known to be the user's; another one in "email" is only what somebody said.
alter table users add column verified_email text;

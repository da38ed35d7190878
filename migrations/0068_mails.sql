-- Mails to users. This row says that an instance can send; without it no event is queued.
create table mail_service (
  id boolean primary key default true check (id),
  seen_at timestamptz not null
);

-- Events that cause mails, until their mails are queued.
create table mail_events (
  id text primary key,
  type text not null,
  organization_id text,
  client_id text,
  user_id text,
  detail jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp()
);
create index mail_events_created_at on mail_events (created_at);

-- One mail for each event and user. next_attempt_at null: sent or given up. Mails of one bundle are sent as one message.
create table mails (
  user_id text not null references users on delete cascade,
  event_id text not null,
  type text not null,
  category text not null,
  organization_id text,
  client_id text,
  detail jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  claim text,
  bundle text,
  sent_at timestamptz,
  last_error text,
  primary key (user_id, event_id)
);
create index mails_due on mails (next_attempt_at) where next_attempt_at is not null;
create index mails_recent on mails (user_id, created_at);
create index mails_created_at on mails (created_at);

-- Categories of mails that a user has switched off.
create table mail_choices (
  user_id text not null references users on delete cascade,
  category text not null,
  primary key (user_id, category)
);

-- Devices and networks from which a user has signed in.
create table sign_in_places (
  user_id text not null references users on delete cascade,
  place text not null,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (user_id, place)
);
create index sign_in_places_seen_at on sign_in_places (seen_at);

-- Reminders that were given, each once.
create table reminders (
  id text primary key,
  expires_at timestamptz not null
);
create index reminders_expires_at on reminders (expires_at);

-- sessions_epoch moves when a user is disabled: every earlier session is dead, also once the user is enabled again.
alter table users add column sessions_epoch integer not null default 0;

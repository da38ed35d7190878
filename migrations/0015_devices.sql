-- Device authorization (RFC 8628): which apps may send a person to another device's browser. Off unless the operator
-- allows it.
alter table apps add column device_flow boolean not null default false;

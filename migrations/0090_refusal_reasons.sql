-- What an admin has told the member whose request was refused.
alter table install_requests add column refusal_reason text;

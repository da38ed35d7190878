-- Requests that no admin has decided, by age: admins get a reminder.
create index install_requests_waiting on install_requests (created_at) where decided_at is null;

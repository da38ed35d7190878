-- A member may take back what they asked the admins for.
alter table install_requests drop constraint install_requests_decision_check;
alter table install_requests add constraint install_requests_decision_check
  check (decision in ('approved', 'refused', 'withdrawn'));

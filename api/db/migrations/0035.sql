-- Whether the table had everything that was final when it was filled last: until it has, it is filled on without a pause.
alter table service.task_search_state add column caught_up boolean not null default false;

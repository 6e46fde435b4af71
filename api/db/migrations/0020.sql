-- The key that a wallet published last: of its newest device that was registered with a signature and a key. Ending a
-- device keeps it. Read with every task, for its requester.
create index devices_published on service.devices (wallet, created_at desc, id desc) where public_key is not null;

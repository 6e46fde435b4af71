-- A withdrawal of USDC is a transfer that its owner authorized: the service sends it to USDC itself, not to the
-- forwarder. The columns `payment_*` have the authorization, so that one funds one intent, whatever it is for.
alter table service.intents drop constraint intents_leg_check;
alter table service.intents add constraint intents_leg_check
  check (leg in ('paid', 'prepaid', 'signed', 'open', 'transfer'));
alter table service.attempts drop constraint attempts_leg_check;
alter table service.attempts add constraint attempts_leg_check
  check (leg in ('paid', 'prepaid', 'signed', 'open', 'transfer', 'refund', 'noop'));

-- Withdrawals of a wallet within a day.
create index intents_withdrawals on service.intents (initiator, created_at)
  where operation in ('wallet.withdraw', 'wallet.withdrawToken', 'vaults.claim') and status <> 'reserved';

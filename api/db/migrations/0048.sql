-- Oldest data version: 1
-- Sums of days that are over, in UTC, made of the indexer's rows of final blocks (api/daily). Views of the schema `analytics`
-- show them. Amounts are base units of the asset.
create table service.daily_activity (
  day date not null,
  mode text not null,
  posted bigint not null,
  posted_rewards numeric(78, 0) not null,
  entered bigint not null,
  entry_seconds numeric(78, 0) not null,
  median_entry_seconds bigint,
  delivered bigint not null,
  accepted bigint not null,
  paid bigint not null,
  gmv numeric(78, 0) not null,
  self_awarded numeric(78, 0) not null,
  platform_fees numeric(78, 0) not null,
  evaluator_fees numeric(78, 0) not null,
  payouts bigint not null,
  payout_seconds numeric(78, 0) not null,
  median_payout_seconds bigint,
  requesters bigint not null,
  workers bigint not null,
  primary key (day, mode)
);
create table service.daily_flow (
  day date not null,
  asset text not null,
  kind text not null,
  from_class text not null,
  to_class text not null,
  decimals integer,
  movements bigint not null,
  amount numeric(78, 0) not null,
  primary key (day, asset, kind, from_class, to_class)
);
create table service.daily_balance (
  account_class text not null,
  asset text not null,
  day date not null,
  decimals integer,
  inflow numeric(78, 0) not null,
  outflow numeric(78, 0) not null,
  balance numeric(78, 0) not null,
  primary key (account_class, asset, day)
);
create table service.daily_money (
  day date primary key,
  service_fees numeric(78, 0) not null,
  escrow numeric(78, 0) not null,
  stakes numeric(78, 0) not null,
  credits numeric(78, 0) not null,
  prepaid numeric(78, 0) not null
);
create table service.daily_state (
  is_one boolean primary key default true check (is_one),
  schema_version text not null,
  definition integer not null,
  day date not null
);

comment on table service.daily_activity is 'One row a day and mode of tasks; the mode `all` is the whole market.';
comment on table service.daily_flow is 'One row a day, asset, kind of movement and classes of accounts that moved money.';
comment on table service.daily_balance is 'One row a day, class of accounts and asset with a movement; wallets aside.';
comment on column service.daily_balance.balance is 'At the end of the day, all accounts of the class together.';
comment on table service.daily_money is 'One row a day: the USDC of market and payment forwarder; balances at its end.';
comment on table service.daily_state is 'One row: up to which day the sums of this deployment and definition are made.';
comment on column service.daily_state.definition is 'Of the sums (api/daily/fill-days.ts): others are made again from the first day.';

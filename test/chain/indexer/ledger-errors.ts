import { ledgerQuery } from '../../../ops/indexer/ledger-query.ts'

/** Errors that a change of the ledger could make: a part of its query, and another in its place. */
const errors: readonly (readonly [name: string, part: string, other: string])[] = [
  ['awards are gross', "'wallet', worker, worker_payment,", "'wallet', worker, gross_amount,"],
  ['refunds of expired tasks are missing', "name in ('TaskCancelled', 'TaskExpired')", "name = 'TaskCancelled'"],
  ['a rise of the reward is missing', "name = 'TaskUpdated' and", "name = 'TaskUpdated' and false and"],
  ['a surplus is a reduction', "array['reduced', 'surplus_returned',", "array['surplus_returned', 'reduced',"],
  [
    'fees go to the present recipient',
    "select args->>'recipient' as recipient",
    'select (select fee_recipient from market_config) as recipient',
  ],
  [
    'a contract that receives fees is a wallet',
    'left join own_contract own on own.address = recipient',
    'left join own_contract own on false',
  ],
  [
    'the fee of an evaluator comes from a stake',
    "'evaluator_fee', task_id, null, 'escrow'",
    "'evaluator_fee', task_id, null, 'stake'",
  ],
  [
    'a forfeited stake goes to the worker',
    "'stake', task_id, fee.class, fee.owner, amount",
    "'stake', task_id, 'wallet', subject, amount",
  ],
  ['deferred payouts are missing', "name = 'PayoutDeferred' and", "name = 'PayoutDeferred' and false and"],
  ['a credit is the recipient’s', "'credit', args->>'account'", "'credit', args->>'to'"],
  ['the service keeps the escrow', 'amount - escrow_amount,', 'amount,'],
  ['fees of relays are missing', 'where amount > escrow_amount', 'where amount > escrow_amount and task_id is null'],
  ['prepaid money is not used', 'where prepaid\n', 'where false\n'],
  [
    'prepaid money is returned twice',
    'from prepaid_refund\n',
    'from prepaid_refund cross join (values (1), (2)) as twice\n',
  ],
  ['payments of others are unassigned', "'prepaid', sender, amount,", "'unassigned', arrival.contract, amount,"],
  [
    'gifts to the reserve are unassigned',
    "'bonus_reserve', arrival.contract, amount,",
    "'unassigned', arrival.contract, amount,",
  ],
  [
    'fees are swept from gifts',
    "'fees_swept', null, 'service_fees', forwarder",
    "'fees_swept', null, 'unassigned', forwarder",
  ],
  ['a bonus is what it was before its caps', '      credited, block_number,', '      share, block_number,'],
  [
    'a bonus is withdrawn from the destination',
    "'bonus_withdrawn', null, token, 'bonus', account,",
    "'bonus_withdrawn', null, token, 'bonus', destination,",
  ],
  [
    'workers of a vault are owed its fee',
    "('vault_credited', 'vault_owed', credited)",
    "('vault_credited', 'vault_owed', credited + credited_fee)",
  ],
  ['a claim is paid from what is free', "'vault_owed', vault,\n      case", "'vault', vault,\n      case"],
  ['all that was credited is defaulted', 'credited - paid)', 'credited)'],
  ['an exit returns gifts as the owner’s', "'vault', least(returned, counted))", "'vault', returned)"],
  ['units are those of USDC', 'then (select token_decimals from bonus_programme)', 'then 6'],
  ['a day is the next', 'to_timestamp(block_timestamp) as at', 'to_timestamp(block_timestamp + 86400) as at'],
  [
    'an operation is that of another call',
    'where i.transaction_hash = movement.transaction_hash',
    'where i.actor = movement.from_owner',
  ],
]

/** The query of the ledger with each error. @throws when the query does not have the part */
export const wrongLedgers: readonly (readonly [name: string, query: string])[] = errors.map(([name, part, other]) => {
  if (!ledgerQuery.includes(part)) throw new Error(`the ledger has no ${part}`)
  return [name, ledgerQuery.replaceAll(part, other)]
})

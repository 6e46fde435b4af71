import type { AnswerOf } from '../http/read.ts'

type Movement = NonNullable<AnswerOf<'/api/books'>['movements']>[number]

/** Texts for the kinds of movements of money, used in tables and timelines. */
export const movementWords: Readonly<Record<Movement['kind'], string>> = {
  funded: 'Reward into escrow',
  topped_up: 'Reward raised',
  reduced: 'Reward lowered',
  refunded: 'Reward back to the requester',
  surplus_returned: 'Rest above the price back to the requester',
  unawarded_returned: 'Rest that was not awarded back to the requester',
  awarded: 'Paid to the worker',
  platform_fee: 'Platform fee',
  evaluator_fee: 'Evaluator’s fee',
  stake_taken: 'Stake of the worker',
  stake_returned: 'Stake back to the worker',
  stake_forfeited: 'Stake forfeited',
  credited: 'Payout that could not be sent, kept',
  credit_paid: 'Kept payout sent',
  service_fee: 'Fee of the service',
  fees_swept: 'Service fees taken out',
  excess_swept: 'Excess taken out',
  prepaid: 'Prepaid',
  prepaid_used: 'Prepaid money used',
  prepaid_returned: 'Prepaid money returned',
  bonus_funded: 'Bonus reserve funded',
  bonus_credited: 'Bonus credited',
  bonus_withdrawn: 'Bonus withdrawn',
  bonus_taken: 'Bonus reserve taken out',
  vault_funded: 'Vault funded',
  vault_charged: 'Reserved for a task',
  vault_credited: 'Owed to winners',
  vault_fee_owed: 'Platform fee owed',
  vault_fees_collected: 'Platform fees collected',
  vault_released: 'Released',
  vault_claimed: 'Claimed by a winner',
  vault_defaulted: 'Owed to winners, taken out at the exit',
  vault_exited: 'Taken out at the exit',
  vault_withdrawn: 'Withdrawn by the sponsor',
  stranger_transfer: 'Sent to the contract without a purpose',
}

/** Texts for the ledger accounts that are not wallets, by the part of the account's name before the colon. */
const accounts: Readonly<Record<string, string>> = {
  escrow: 'Rewards in escrow',
  stake: 'Stakes of workers',
  credit: 'Payouts that could not be sent',
  service_fees: 'Fees of the service',
  prepaid: 'Prepaid by wallets',
  bonus: 'Bonuses to be withdrawn',
  bonus_reserve: 'Reserve for bonuses',
  vault: 'Free for new tasks',
  vault_reserved: 'Reserved for tasks',
  vault_owed: 'Owed to winners',
  vault_fees: 'Platform fees',
  unassigned: 'Sent without a purpose',
}

/** Returns the text for a ledger account. Example: `accountWords('escrow:0x15d3…')` is `Rewards in escrow`. */
export function accountWords(account: string): string {
  const [name = ''] = account.split(':')
  return accounts[name] ?? name.replaceAll('_', ' ')
}

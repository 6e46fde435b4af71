import type { ChainEvent } from './ledger-chain.ts'

type EventName = ChainEvent['eventName']

/** The events that a movement of a kind follows from. */
const eventsOfKind: Record<string, readonly EventName[]> = {
  funded: ['TaskCreated'],
  topped_up: ['TaskUpdated'],
  reduced: ['EscrowReturned'],
  surplus_returned: ['EscrowReturned'],
  unawarded_returned: ['EscrowReturned'],
  refunded: ['TaskCancelled', 'TaskExpired'],
  awarded: ['TaskCompleted'],
  platform_fee: ['TaskCompleted'],
  evaluator_fee: ['VerdictIssued'],
  stake_taken: ['TaskWorkerSelected'],
  stake_returned: ['StakeReturned'],
  stake_forfeited: ['StakeForfeited'],
  credited: ['PayoutDeferred'],
  credit_paid: ['CreditWithdrawn'],
  service_fee: ['IntentRelayed'],
  fees_swept: ['FeesSwept'],
  excess_swept: ['ExcessSwept', 'Exited'],
  prepaid: ['Transfer'],
  prepaid_used: ['IntentRelayed'],
  prepaid_returned: ['PrepaidRefunded'],
  bonus_funded: ['ReserveFunded'],
  bonus_credited: ['BonusCredited'],
  bonus_withdrawn: ['BonusWithdrawn'],
  bonus_taken: ['ReserveTaken'],
  vault_funded: ['Funded'],
  vault_charged: ['RewardCharged'],
  vault_credited: ['RewardCredited'],
  vault_fee_owed: ['RewardCredited'],
  vault_fees_collected: ['FeesCollected'],
  vault_released: ['RewardCredited', 'RewardReleased', 'Exited'],
  vault_claimed: ['Claimed'],
  vault_defaulted: ['Exited'],
  vault_exited: ['Exited'],
  vault_withdrawn: ['AvailableWithdrawn'],
  stranger_transfer: ['Transfer'],
}

const reasons = ['reduced', 'surplus_returned', 'unawarded_returned']

/** True when the event gives a movement of this kind. */
export function isEventOf(kind: string, event: ChainEvent): boolean {
  if (event.eventName === 'EscrowReturned' && reasons[event.args.reason] !== kind) return false
  return eventsOfKind[kind]?.includes(event.eventName) === true
}

/** Bits of a route's leg mask, as in IPaymentForwarder.Leg. */
const paid = 1
const prepaid = 2
const signed = 4
const open = 8

/** As in IPaymentForwarder.SuffixRule. */
const suffixRules = { none: 0, round: 1, content: 2 } as const

/**
 * What the forwarder may call. `verb` is the word of the signed message, empty when none is signed, at most 30 bytes.
 */
export type Route = { functionName: string; legs: number; suffixRule: number; verb: string }

/** Spec, "Summary" of the endpoints: what is paid, what is signed, what any account may ask for. */
export const marketRoutes: Route[] = [
  ...[
    'createTask',
    'updateTask',
    'assignEvaluator',
    'submitPitch',
    'selectWorker',
    'submitBid',
    'acceptAuction',
    'submitProof',
    'rejectSubmissions',
    'acceptSubmission',
    'acceptSubmissions',
    'cancelTask',
    'refundExpired',
    'objectToDelivery',
    'evaluate',
    'appeal',
    'resolveDispute',
    'evaluatorTimeout',
    'rateTask',
  ].map((functionName) => ({ functionName, legs: paid | prepaid, suffixRule: suffixRules.none, verb: '' })),
  // Free up to an allowance, then paid.
  { functionName: 'submitWork', legs: paid | prepaid | signed, suffixRule: suffixRules.content, verb: 'submit' },
  // Free without a stake; the stake is paid in.
  { functionName: 'claimTask', legs: paid | prepaid | signed, suffixRule: suffixRules.round, verb: 'claim' },
  { functionName: 'forfeitAndReopen', legs: signed, suffixRule: suffixRules.round, verb: 'forfeit' },
  ...['selectLowestBidder', 'finalizeVerdict', 'settleStale', 'pushCredit'].map((functionName) => ({
    functionName,
    legs: open,
    suffixRule: suffixRules.none,
    verb: '',
  })),
]

/**
 * Spec, "Agents and identity": a registration is paid, and so is an adoption. The service registers wallets of signed
 * devices without a payment.
 */
export const registrarRoutes: Route[] = [
  ...['register', 'adopt'].map((functionName) => ({
    functionName,
    legs: paid | prepaid,
    suffixRule: suffixRules.none,
    verb: '',
  })),
  { functionName: 'registerFor', legs: open, suffixRule: suffixRules.none, verb: '' },
]

/** Spec, "Wallet": the worker's own signature is checked by the hook. */
export const bonusRoutes: Route[] = [
  { functionName: 'withdrawFor', legs: open, suffixRule: suffixRules.none, verb: '' },
]

/** Spec, "Sponsored-task vaults": the worker's own signature is checked by the vault. */
export const vaultFactoryRoutes: Route[] = [
  { functionName: 'claimTo', legs: open, suffixRule: suffixRules.none, verb: '' },
]

/** What any account may do, and the keeper does: the hook checks it against the awards of the market. */
export const vaultHookRoutes: Route[] = ['installSettlement', 'reconcile'].map((functionName) => ({
  functionName,
  legs: open,
  suffixRule: suffixRules.none,
  verb: '',
}))

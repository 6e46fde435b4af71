import { intentStatuses } from '../../../protocol/intent-statuses.ts'
import { amount, either, list, moment, nullable, optional, record, type Shape, text, whole } from './shape.ts'

/** Any answer of a read that the client returns unchanged. Null means that the record was not found. */
export const anyOrNullShape: Shape = {
  what: 'an object, a list or null',
  accepts: optional(either(record(), Array.isArray)),
}

const offers = optional(list(record({ request: optional(record()) })))

/** The fields of a task that the client needs to make a write on the task. */
export const taskShape: Shape = {
  what: 'a task (reward, pendingActions)',
  accepts: record({ reward: amount, pendingActions: offers }),
}
/**
 * The expected form of an answer with the terms of an auction. The answer is null for a task that the caller may not
 * read.
 */
export const auctionOrNullShape: Shape = {
  what: 'a task (auctionType, reward, prices, createdAt, bidDeadline) or null',
  accepts: nullable(
    record({
      auctionType: nullable(text),
      reward: amount,
      auctionStartPrice: nullable(amount),
      auctionFloorPrice: nullable(amount),
      createdAt: moment,
      bidDeadline: nullable(moment),
    }),
  ),
}
/** A task with `termsHash`, the hash of the task's terms. Contract calls on the task contain this hash. */
export const termsShape: Shape = { what: 'a task (termsHash)', accepts: record({ termsHash: text }) }
export const taskTextsShape: Shape = {
  what: 'a task (description, tags, visibilities, metric)',
  accepts: record({
    description: text,
    tags: list(text),
    taskVisibility: text,
    submissionVisibility: text,
    metricDescription: nullable(text),
    metricTarget: nullable(text),
  }),
}
export const agentShape: Shape = { what: 'an identity (agentId)', accepts: record({ agentId: nullable(amount) }) }
export const networkShape: Shape = { what: 'a network (feedbackBase)', accepts: record({ feedbackBase: text }) }
/** The expected form of an answer with a task. The answer is null for a task that the caller may not read. */
export const taskOrNullShape: Shape = {
  what: 'a task (id, status, reward, pendingActions) or null',
  accepts: nullable(record({ id: text, status: text, reward: amount, pendingActions: offers })),
}

export const intentShape: Shape = {
  what: 'the record of a write (status, txHash, taskId, terminalReason, refund)',
  accepts: record({
    status: (value) => intentStatuses.some((status) => status === value),
    txHash: optional(text),
    taskId: optional(text),
    terminalReason: optional(text),
    refund: optional(record({ status: text })),
  }),
}

/**
 * The answer of a write, in one of four forms: `success`, a transaction hash, an updated task or an agent id. An
 * updated task is recognized by its `referenceCode`.
 */
export const writeShape: Shape = {
  what: 'the result of a write (success, txHash, agentId, or an updated task)',
  accepts: either(
    record({ success: (value) => value === true }),
    record({ txHash: text }),
    record({ id: text, referenceCode: text }),
    record({ agentId: text }),
  ),
}

export const balanceShape: Shape = {
  what: 'a balance (balanceBaseUnits)',
  accepts: record({ balanceBaseUnits: amount }),
}
export const withdrawalAddressShape: Shape = {
  what: 'a withdrawal address (withdrawalAddress)',
  accepts: record({ withdrawalAddress: nullable(text) }),
}

export const vaultShape: Shape = { what: 'a vault (vaultAddress)', accepts: record({ vaultAddress: text }) }
export const claimNonceShape: Shape = { what: 'a nonce of claims (nonce)', accepts: record({ nonce: amount }) }
export const boundOnlyShape: Shape = { what: 'a switch of a wallet (counter)', accepts: record({ counter: amount }) }
const entitlement = record({ allocationId: text, epoch: whole, index: whole, amount, proof: list(text) })
export const entitlementsShape: Shape = {
  what: 'a list of entitlements (allocationId, epoch, index, amount, proof)',
  accepts: list(entitlement),
}

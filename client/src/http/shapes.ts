import { amount, either, isRecord, list, nullable, optional, record, type Shape, text, whole } from './shape.ts'

/** Any answer of a read. */
export const anyShape: Shape = { what: 'an object or a list', accepts: either(record(), Array.isArray) }
/** Form of a route that answers null for what there is not. */
export const anyOrNullShape: Shape = { what: 'an object, a list or null', accepts: optional(anyShape.accepts) }
export const objectShape: Shape = { what: 'an object', accepts: record() }

const offers = optional(list(record({ request: optional(record()) })))

/** Facts of its task that a write needs. */
export const taskShape: Shape = {
  what: 'a task (reward, pendingActions)',
  accepts: record({ reward: amount, pendingActions: offers }),
}
/** Null: there is none for this caller. */
export const taskOrNullShape: Shape = {
  what: 'a task (id, status, pendingActions) or null',
  accepts: nullable(record({ id: text, status: text, pendingActions: offers })),
}

export const submissionsShape: Shape = {
  what: 'a list of submissions (id, workerAddress)',
  accepts: list(record({ id: text, workerAddress: text, deliverableHash: optional(text), rejectedAt: optional(text) })),
}

/** Rows, alone or in one member of an object. */
export const pageShape: Shape = {
  what: 'a list of rows, or an object with one',
  accepts: (value) => Array.isArray(value) || (isRecord(value) && Object.values(value).some(Array.isArray)),
}

const intentStatuses = ['reserved', 'recorded', 'broadcast', 'completed', 'failed', 'held']
export const intentShape: Shape = {
  what: 'the record of a write (status, txHash, taskId, terminalReason, refund)',
  accepts: record({
    status: (value) => intentStatuses.includes(value as string),
    txHash: optional(text),
    taskId: optional(text),
    terminalReason: optional(text),
    refund: optional(record({ status: text })),
  }),
}

/** Every write answers one of these; an updated task has its reference code. */
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
const entitlement = record({ allocationId: text, epoch: whole, index: whole, amount, proof: list(text) })
export const entitlementsShape: Shape = {
  what: 'a list of entitlements (allocationId, epoch, index, amount, proof)',
  accepts: list(entitlement),
}

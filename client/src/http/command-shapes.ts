import { amount, isRecord, list, optional, record, type Shape, text } from './shape.ts'

/** The answers that commands and tools of models use beside those of the SDK. */

const queued = record({
  task: record({ id: text, title: text, status: text, reward: amount }),
  role: text,
  dueAt: optional(text),
  actions: list(record({ command: optional(text), request: optional(record()) })),
})
export const queueShape: Shape = {
  what: 'an action queue (items of task and actions)',
  accepts: record({ items: list(queued) }),
}

const inboxTask = record({ id: text, status: text, reward: amount, description: text })
export const inboxShape: Shape = {
  what: 'an inbox (lists of tasks)',
  accepts: (value) => isRecord(value) && Object.values(value).every(list(inboxTask)),
}

export const registeredAddressShape: Shape = {
  what: 'a registered address (withdrawalAddress, accountRecoveryCode)',
  accepts: record({ withdrawalAddress: text, accountRecoveryCode: text }),
}

export const uploadShape: Shape = {
  what: 'the place of an upload (uploadUrl, artifactKey, uploadHeaders)',
  accepts: record({
    uploadUrl: text,
    artifactKey: text,
    uploadHeaders: optional((value) => isRecord(value) && Object.values(value).every(text)),
  }),
}

const document = record({ title: text, version: text, contentHash: text, url: text })
const bundle = record({ version: text, bundleDigest: text, acceptanceStatement: text, documents: list(document) })
export const legalChallengeShape: Shape = {
  what: 'a legal challenge (bundle, nonce, issuedAt, expiresAt, message)',
  accepts: record({ bundle, nonce: text, issuedAt: text, expiresAt: text, message: text }),
}
export const legalReceiptShape: Shape = { what: 'a legal receipt (receipt)', accepts: record({ receipt: text }) }

import { amount, flag, isRecord, list, moment, nullable, optional, record, type Shape, text, whole } from './shape.ts'

/**
 * This file contains the shapes that the client expects of the service's answers. The command-line tool and the MCP
 * server use them.
 */

const acceptShape = record({
  task: record({ id: text, title: nullable(text), status: text, reward: amount }),
  role: text,
  dueAt: optional(text),
  actions: list(record({ command: optional(text), request: optional(record()) })),
})
export const queueShape: Shape = {
  what: 'an action queue (items of task and actions)',
  accepts: record({ items: list(acceptShape) }),
}

const inboxTask = record({ id: text, status: text, reward: amount, description: text })
export const inboxShape: Shape = {
  what: 'an inbox (the lists of tasks asRequester, asWorker, invitedPrivateTasks)',
  accepts: record({
    asRequester: list(inboxTask),
    asWorker: list(inboxTask),
    invitedPrivateTasks: list(inboxTask),
  }),
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

export const boundSwitchShape: Shape = {
  what: 'a switch of a wallet (boundOnly, counter)',
  accepts: record({ boundOnly: flag, counter: text }),
}
export const consentShape: Shape = { what: 'a consent (required)', accepts: record({ required: flag }) }

/** The shapes of the service's answers to the device commands. */
export const deviceShapes = {
  register: {
    what: 'a device (deviceId, apiToken, deviceEncryptionKey)',
    accepts: record({ deviceId: text, apiToken: text, deviceEncryptionKey: text }),
  },
  status: {
    what: 'the status of a device (walletAddress, active, verified)',
    accepts: record({ walletAddress: text, active: flag, verified: flag }),
  },
  key: { what: 'the key of a device (deviceEncryptionKey)', accepts: record({ deviceEncryptionKey: text }) },
  end: { what: 'the end of a device (success)', accepts: record({ success: flag }) },
} as const satisfies Record<string, Shape>

const webhook = record({ webhookId: text, url: text, status: text })
const delivery = record({ id: text, kind: text, attempt: whole, sentAt: moment, latencyMs: whole })
export const webhookShapes = {
  created: { what: 'the secret of a webhook (webhookId, secret)', accepts: record({ webhookId: text, secret: text }) },
  list: { what: 'webhooks (webhookId, url, status)', accepts: record({ webhooks: list(webhook) }) },
  deliveries: {
    what: 'deliveries (id, kind, attempt, sentAt, latencyMs)',
    accepts: record({ deliveries: list(delivery) }),
  },
  tested: {
    what: 'a test of a webhook (webhookId, status, isAnswered)',
    accepts: record({ webhookId: text, status: text, isAnswered: flag }),
  },
  changed: { what: 'a webhook (webhookId, status)', accepts: record({ webhookId: text, status: text }) },
  deleted: { what: 'the end of a webhook (success)', accepts: record({ success: flag }) },
} as const satisfies Record<string, Shape>

export const agentShape: Shape = {
  what: 'the record of a worker (address, completedTasks)',
  accepts: record({ address: text, completedTasks: whole }),
}
export const shownVaultShape: Shape = {
  what: 'a vault (vaultId, vaultAddress, status)',
  accepts: record({ vaultId: text, vaultAddress: text, status: text }),
}
export const healthShape: Shape = {
  what: 'the state of the service (status)',
  accepts: record({ status: text, environment: optional(text), commitSha: optional(text) }),
}
export const networkShape: Shape = {
  what: 'a network (chainId, usdcAddress)',
  accepts: record({ chainId: whole, usdcAddress: text }),
}

const document = record({ title: text, version: text, contentHash: text, url: text })
const bundle = record({ version: text, bundleDigest: text, acceptanceStatement: text, documents: list(document) })
export const legalChallengeShape: Shape = {
  what: 'a legal challenge (bundle, nonce, issuedAt, expiresAt, message)',
  accepts: record({ bundle, nonce: text, issuedAt: text, expiresAt: text, message: text }),
}
export const legalBundleShape: Shape = {
  what: 'the legal policies (version, bundleDigest, acceptanceStatement, documents)',
  accepts: bundle,
}
export const legalStatusShape: Shape = { what: 'a legal status (accepted)', accepts: record({ accepted: flag }) }
export const legalReceiptShape: Shape = { what: 'a legal receipt (receipt)', accepts: record({ receipt: text }) }

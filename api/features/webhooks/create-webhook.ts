import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { findUrlFault, URL_AT_MOST } from '../../events/webhooks/receiver-url.ts'
import { makeSecret } from '../../events/webhooks/webhook-secret.ts'
import {
  countWebhooks,
  deleteOldestUnverified,
  insertWebhook,
  lockWebhooks,
  type NewWebhook,
  takeCreation,
} from '../../events/webhooks/webhooks.queries.ts'
import { invalidRequest } from '../../http/parse.ts'
import { address, walletSignature, wellFormedText } from '../../http/request-schemas.ts'
import { clientNameInTables } from '../../identity/client-name.ts'
import { defineRoute } from '../define-route.ts'
import { checkChange, repeatedChange } from './signed-change.ts'
import { webhookFilters } from './webhook-filters.ts'
import { eventKind, secretOut, timestamp } from './webhooks.schemas.ts'

const bodySchema = z.object({
  address: address.meta({ description: 'The wallet: the webhook gets what it may see.' }),
  url: wellFormedText(1, URL_AT_MOST).meta({
    description: '`https`, a name, port 443; its addresses must be globally reachable.',
  }),
  kinds: z.array(eventKind).min(1).max(eventKind.options.length).optional().meta({
    description: 'Kinds of `docs/build/events.md`; all unless given.',
  }),
  filters: webhookFilters.optional().meta({
    description:
      'Which tasks the entries are of, as in `GET /api/events`: at least one of `taskId`, `mode`, `tag` and `q`. Unless given, entries ' +
      'that concern the wallet.',
  }),
  timestamp,
  signature: walletSignature.meta({
    description:
      'EIP-191 by the wallet over `service:webhook:create:<chainId>:<host of the service>:<lower-case wallet>:<sha256 of ' +
      'url, 64 hex digits>:<timestamp>`.',
  }),
})

/**
 * Registers a URL to which log entries are posted. See the interface specification, "Events and webhooks".
 *
 * Example: `POST /api/webhooks` with `{"address": "0x7099..", "url": "http://127.0.0.1..", "kinds": ["task.created",
 * ..], "timestamp": 1795924830, ..}` answers `{"webhookId": "dfe5..", "secret": "whsec_dOYoKflgLn.."}`.
 */
export const createWebhook = defineRoute({
  operationId: 'createWebhook',
  method: 'post',
  path: '/webhooks',
  tag: 'events',
  summary: 'Have entries of the log posted to a URL',
  description:
    'The service posts a test to the URL, at once and for an hour again and again; the answer must be 2xx with the `challenge` of its ' +
    'body. Then entries follow in their order, each until it is answered 2xx, signed by Standard Webhooks. `docs/build/webhooks.md` ' +
    'has all of it.',
  body: bodySchema,
  responses: {
    200: {
      description: 'The webhook, which has to answer a test.',
      schema: z.object({ webhookId: z.uuid(), secret: secretOut }),
    },
    403: { description: 'The signature is not the wallet’s over this URL.' },
    409: { description: 'The wallet has as many webhooks as it may have, or this text was taken before.' },
    429: { description: 'This client has as many webhooks as it may have, or too many requests.' },
    503: { description: 'The deployment has as many webhooks as it may have.' },
  },
  handler: async (deps, { body }, c) => {
    const { address: wallet, url, kinds, filters, ...change } = body
    const fault = findUrlFault(url, deps.deployment.local)
    if (fault !== null) throw invalidRequest([{ path: 'url', message: fault }])
    const subject = createHash('sha256').update(url).digest('hex')
    await checkChange(deps, { verb: 'create', wallet, subject }, change)
    const id = randomUUID()
    const { shown, sealed } = makeSecret(deps.config, id)
    await storeWebhook(deps, {
      id,
      wallet,
      client: clientNameInTables(deps.config.URL_SIGNING_SECRET, 'webhooks', c.get('clientIp')(c)),
      url,
      host: new URL(url).host,
      kinds: kinds ?? null,
      ...toStored(filters),
      sealedSecret: sealed,
      signedAt: change.timestamp,
    })
    c.header('Cache-Control', 'no-store')
    return { webhookId: id, secret: shown }
  },
})

/**
 * Returns a webhook's filters as texts, the form in which they are stored. The service parses the texts again when it
 * reads log entries.
 */
function toStored(filters: z.output<typeof webhookFilters> | undefined): Pick<NewWebhook, 'taskId' | 'filters'> {
  if (filters === undefined) return { taskId: null, filters: null }
  const { taskId = null, mode, tag, minReward, q } = filters
  const texts = {
    ...(mode !== undefined && { mode }),
    ...(tag !== undefined && { tag: tag.map(({ whole }) => whole) }),
    ...(minReward !== undefined && { minReward: minReward.toString() }),
    ...(q !== undefined && { q }),
  }
  return { taskId, filters: Object.keys(texts).length === 0 ? null : texts }
}

/**
 * Stores a webhook.
 * @throws ServiceError 409 if the signed text was already used, 409 if the wallet has a webhook for this URL whose
 * signed text has the same or a later time, 409 if the wallet has as many webhooks as allowed, 429 if the client has as
 * many webhooks as allowed, 503 if the deployment has as many verified webhooks as allowed
 */
async function storeWebhook({ sql, config }: Pick<Deps, 'sql' | 'config'>, webhook: NewWebhook): Promise<void> {
  await sql.begin(async (tx) => {
    await lockWebhooks(tx)
    if (!(await takeCreation(tx, webhook))) throw repeatedChange()
    const { ofWallet, ofClient, verified, unverified } = await countWebhooks(tx, webhook)
    if (ofWallet >= config.WEBHOOKS_PER_WALLET) {
      throw new ServiceError(
        409,
        'unclassified',
        `A wallet has at most ${config.WEBHOOKS_PER_WALLET} webhooks: delete one.`,
        { detail: 'webhook_limit' },
      )
    }
    if (ofClient >= config.WEBHOOKS_PER_CLIENT) {
      const message = `A client has at most ${config.WEBHOOKS_PER_CLIENT} webhooks: delete one.`
      throw new ServiceError(429, 'unclassified', message, {
        detail: 'webhook_limit',
        headers: { 'Retry-After': '3600' },
      })
    }
    if (verified >= config.WEBHOOKS) {
      const message = 'This service has as many webhooks as it takes: read the log by GET /api/events instead.'
      throw new ServiceError(503, 'unclassified', message, {
        detail: 'webhooks_full',
        headers: { 'Retry-After': '3600' },
        isRefusal: true,
      })
    }
    // Unverified webhooks cost nothing, and must not displace verified ones.
    if (unverified >= config.WEBHOOKS) await deleteOldestUnverified(tx)
    await insertWebhook(tx, webhook)
  })
}

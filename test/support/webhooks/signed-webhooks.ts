import { createHash } from 'node:crypto'
import { type WebhookVerb, webhookText } from '../../../protocol/signed/account-texts.ts'
import { localNetwork } from '../../../scripts/contracts/network.ts'
import type { Actor } from '../actors.ts'

/** Where a text is valid. */
interface Place {
  /** Host and port of the service. */
  host: string
  /** Unix seconds. */
  now: bigint
}

/** Timestamp and signature of a change of a webhook. */
export async function signChange(
  actor: Pick<Actor, 'account' | 'address'>,
  { verb, subject }: { verb: WebhookVerb; subject: string },
  { host, now }: Place,
): Promise<{ timestamp: number; signature: string }> {
  const text = webhookText(
    { chainId: localNetwork.chainId, host },
    { verb, wallet: actor.address, subject, timestamp: now },
  )
  return { timestamp: Number(now), signature: await actor.account.signMessage({ message: `service:${text}` }) }
}

/** The body that creates a webhook. */
export async function creationBody(
  actor: Pick<Actor, 'account' | 'address'>,
  { url, ...more }: { url: string; kinds?: string[]; filters?: object },
  place: Place,
) {
  const subject = createHash('sha256').update(url).digest('hex')
  return { address: actor.address, url, ...more, ...(await signChange(actor, { verb: 'create', subject }, place)) }
}

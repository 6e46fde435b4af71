import { setTimeout as pause } from 'node:timers/promises'
import { privateKeyToAccount } from 'viem/accounts'
import type { Random } from '../faults/random.ts'
import { creationBody } from '../support/webhooks/signed-webhooks.ts'
import type { Stage } from './stage.ts'

/** Streams at one time, and webhooks: a client may have twenty streams. */
const STREAMS = 8
const WEBHOOKS = 3
/** A stream is opened anew after at most so long, milliseconds. */
const LONGEST_MS = 180_000

/** Receivers of changes for the whole run: streams that come and go, and webhooks. */
export interface Subscribers {
  /** Bytes that came by streams. */
  bytes(): number
  stop(): Promise<void>
}

export async function openSubscribers(stage: Stage, random: Random): Promise<Subscribers> {
  const stopping = new AbortController()
  let bytes = 0
  const follow = async (number: number) => {
    const streamRandom = random.fork(`stream ${number}`)
    while (!stopping.signal.aborted) {
      const [first, second] = stage.environment.replicas
      const { url } = streamRandom.chance(0.5) ? first : second
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(streamRandom.integer(10_000, LONGEST_MS))])
      try {
        const response = await fetch(`${url}/api/events`, { headers: { Accept: 'text/event-stream' }, signal })
        for await (const chunk of response.body ?? []) bytes += chunk.length
      } catch {
        // Its process ended, or its time is over: the next one.
      }
      await pause(1_000, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  for (let number = 0; number < WEBHOOKS; number += 1) await subscribe(stage, random)
  const following = Array.from({ length: STREAMS }, (_, number) => follow(number))
  return {
    bytes: () => bytes,
    stop: async () => {
      stopping.abort()
      await Promise.all(following)
    },
  }
}

async function subscribe({ environment, receiver }: Stage, random: Random): Promise<void> {
  const account = privateKeyToAccount(random.bytes32())
  const owner = { account, address: account.address.toLowerCase() as `0x${string}` }
  const { url } = environment.replicas[1]
  const { timestamp: now } = await environment.client.getBlock({ blockTag: 'latest' })
  const body = await creationBody(
    owner,
    { url: receiver.url, kinds: ['task.created'] },
    { host: new URL(url).host, now },
  )
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const { status } = await fetch(`${url}/api/webhooks`, init)
  if (status !== 200) throw new Error(`a webhook was answered ${status}`)
}

import type { Client } from '../create-client.ts'
import { healthShape, networkShape } from '../http/command-shapes.ts'
import { type Answer, sendRequest } from '../http/send.ts'
import { serviceTime } from '../http/service-clock.ts'
import type { Shape } from '../http/shape.ts'
import { balanceShape } from '../http/shapes.ts'
import { toUsdc } from '../payments/usdc-text.ts'
import { countedToday } from '../store/ledger.ts'
import { type Check, remedies } from './doctor-remedies.ts'
import type { Io } from './io.ts'
import { cleanText } from './text.ts'

/** The result of one check that the command `doctor` makes. */
export interface Finding {
  check: Check
  ok: boolean
  /**
   * The result of the check in words. If it names a URL, it shows only the URL's host, because the URL of a node or
   * service may contain a key.
   */
  found: string
  /** The user's next step to remove the fault; present only if the check failed. */
  remedy?: string
}

/**
 * The maximum difference in seconds between this machine's clock and the time of the chain or the service. With a
 * larger difference, a payment can expire before the service uses the payment.
 */
const CLOCK_SKEW_SECONDS = 60

/**
 * Checks the preconditions of a write: the service's URL, the clock, the chain, and the wallet with its balance and
 * limits.
 */
export async function examine({ context }: Client): Promise<Finding[]> {
  const { url, fetch, timing, chain, account, store, deployment } = context
  const host = new URL(url).host
  const request = (path: string) =>
    sendRequest(fetch, { method: 'GET', url: `${url}${path}`, headers: {} }, Math.min(10_000, timing.requestMs))
  const [health, network] = await Promise.all([request('/api/health'), request('/api/network')])
  const findings: Finding[] = []
  const add = (check: Check, ok: boolean, observation: string) =>
    findings.push({ check, ok, found: observation, ...(!ok && { remedy: remedies[check] }) })

  const isUp = isOf(health, healthShape)
  const facts = ((isUp ? health.body : null) ?? {}) as { commitSha?: string; environment?: string }
  add('service', isUp, isUp ? `${host} answers` : `${host} does not answer as this service does`)
  const version = [facts.environment, facts.commitSha].filter((part) => typeof part === 'string').join(' ')
  if (isUp) add('version', true, version)
  if (network.kind === 'answer' && network.status === 200) {
    const isNetwork = isOf(network, networkShape)
    const { chainId, usdcAddress } = (isNetwork ? network.body : {}) as { chainId?: number; usdcAddress?: string }
    const isSame = isNetwork && chainId === deployment.chainId && usdcAddress?.toLowerCase() === deployment.usdc
    add(
      'deployment',
      isSame,
      isSame ? `chain ${chainId}, USDC ${deployment.usdc}` : 'the service has another chain or USDC',
    )
  }
  const now = Math.floor(Date.now() / 1000)
  const chainNow = chain === null ? null : await chain.now().catch(() => undefined)
  if (chainNow === undefined) add('node', false, 'the node does not answer')
  if (typeof chainNow === 'number') {
    const chainId = await chain?.chainId().catch(() => 'unknown')
    const isSame = chainId === deployment.chainId
    add('node', isSame, isSame ? `chain ${chainId}` : `chain ${chainId}, not ${deployment.chainId}`)
  }
  const reference = typeof chainNow === 'number' ? chainNow : health.kind === 'answer' && serviceTime(health.headers)
  if (typeof reference === 'number') {
    const skew = now - reference
    // With a node, signatures use the chain's time, so a wrong clock of this machine is only a note.
    const isNote = typeof chainNow === 'number'
    const isClose = Math.abs(skew) <= CLOCK_SKEW_SECONDS
    add('clock', isClose || isNote, `${skew} s from ${isNote ? "the chain's" : "the service's"}`)
  }
  if (account === null) add('wallet', false, 'no wallet: TASK_MARKET_KEYSTORE or TASK_MARKET_PRIVATE_KEY')
  else {
    add('wallet', true, account.address)
    const balance = await request(`/api/wallet/balance?address=${account.address}`)
    if (isOf(balance, balanceShape)) {
      const { balanceBaseUnits } = balance.body as { balanceBaseUnits: string }
      add('balance', BigInt(balanceBaseUnits) > 0n, `${toUsdc(balanceBaseUnits)} USDC`)
    }
    try {
      const limits = (await store?.config(account.address))?.limits
      const today = await store?.update(account.address, (state) => countedToday(state, Date.now()))
      const spending = today === undefined ? '' : `${toUsdc(today)} of ${toUsdc(limits?.perDay ?? 0n)} USDC today`
      add('limits', limits !== undefined, `${toUsdc(limits?.perCall ?? 0n)} USDC a call, ${spending}`)
    } catch (error) {
      add('limits', false, error instanceof Error ? error.message : 'the files of the wallet cannot be used')
    }
  }
  return findings
}

function isOf(answer: Answer, shape: Shape): answer is Extract<Answer, { kind: 'answer' }> {
  return answer.kind === 'answer' && answer.status === 200 && shape.accepts(answer.body)
}

/** Prints one line for each check, and the full remedy below each failed check. */
export function showFindings(io: Io, findings: readonly Finding[]): void {
  for (const { check, ok, found, remedy } of findings) {
    io.out(`${ok ? 'ok    ' : 'FAILED'}  ${check.padEnd(10)}  ${cleanText(found)}\n`)
    if (remedy !== undefined) io.out(`        ${remedy}\n`)
  }
}

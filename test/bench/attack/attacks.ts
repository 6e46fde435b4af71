import { setTimeout as pause } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { mintLocalUsdc } from '../../../scripts/contracts/deploy.ts'
import { slowSimulations } from '../../faults/inject/slow-simulations.ts'
import { aKey, createPayingClient } from '../../support/paying-client.ts'
import { putScriptedWallet, type Refusal } from '../../support/scripted-contracts.ts'
import { attackOverHttp } from '../sql/attack-thread.ts'
import { hostileQueries } from '../sql/hostile-queries.ts'
import { post } from '../writes/http-client.ts'
import type { PrebuiltWrite } from '../writes/prebuilt.ts'
import type { AttackStack } from './attack-stack.ts'

/** Something that goes on beside plain writes, and should not make them slower. */
export interface Attack {
  name: string
  /** The 95th percentile of plain writes beside it by that of quiet ones. */
  most: number
  /** @param count contract wallets of an attack by them */
  begin(stack: AttackStack, count: number): Promise<RunningAttack>
}

/** An attack under way. */
export interface RunningAttack {
  /** Ends it; resolves when every one of its writes has its outcome. */
  end(): Promise<void>
}

/** An attack by fresh contract wallets. */
interface WalletAttack {
  /** When they refuse, with all of their gas. */
  refuses: Refusal
  /** How long each simulation takes after the one that admits the write, milliseconds. */
  slownessMs: number
}

const SLOW: WalletAttack = { refuses: 'never', slownessMs: 8_000 }
const BURNING: WalletAttack = { refuses: 'mined', slownessMs: 0 }

export const attacks: readonly Attack[] = [
  {
    name: '24 contract wallets whose simulations take 8 s',
    most: 3,
    begin: (stack, count) => beginWallets(stack, SLOW, count),
  },
  {
    name: '24 contract wallets that burn their gas in blocks',
    most: 3,
    begin: (stack, count) => beginWallets(stack, BURNING, count),
  },
  { name: 'six analysts with hostile queries', most: 1.3, begin: beginAnalysts },
]

const REWARD = 1_000_000n

/** Six clients of `POST /api/sql` that always have a hostile query under way or waiting. */
async function beginAnalysts(stack: AttackStack): Promise<RunningAttack> {
  const ending = new AbortController()
  const attacking = attackOverHttp({ url: stack.baseUrl(), queries: hostileQueries }, ending.signal)
  // The first queries have begun.
  await pause(500)
  return {
    end: async () => {
      ending.abort()
      await attacking
    },
  }
}

/** Sends one create of each wallet, all at once. Resolves when all of a slow attack are bound, or at once. */
async function beginWallets(stack: AttackStack, attack: WalletAttack, count: number): Promise<RunningAttack> {
  const writes: PrebuiltWrite[] = []
  const payers: `0x${string}`[] = []
  while (writes.length < count) {
    const { payer, write } = await prepare(stack, attack.refuses)
    payers.push(payer)
    writes.push(write)
  }
  if (attack.slownessMs > 0) stack.rpc.inject(slowSimulations(payers, attack.slownessMs))
  const answers = writes.map(({ url, body, headers }) => post(url, body, headers))
  if (attack.slownessMs > 0) await until(async () => (await stack.countWaiting()) === count)
  return {
    end: async () => {
      stack.rpc.clear()
      await Promise.all(answers)
      await until(async () => (await stack.countOpen()) === 0)
    },
  }
}

async function prepare(stack: AttackStack, refuses: Refusal): Promise<{ payer: `0x${string}`; write: PrebuiltWrite }> {
  const account = privateKeyToAccount(generatePrivateKey())
  await mintLocalUsdc(stack.anvil.url, account.address, REWARD)
  const { timestamp } = await stack.client.getBlock()
  const client = createPayingClient({ baseUrl: stack.baseUrl(), account, now: () => timestamp })
  const body = { description: 'Translate a page', reward: String(REWARD), duration: 24, tags: ['text'] }
  const call = { path: '/tasks', key: aKey(), body }
  const { header } = await client.sign(await client.challenge(call))
  const wallet = await putScriptedWallet(stack.anvil, account.address)
  await wallet.refuse(refuses, true)
  return {
    payer: account.address,
    write: {
      url: `${stack.baseUrl()}/api${call.path}`,
      body: JSON.stringify(body),
      headers: { 'x-service-idempotency-key': call.key, 'payment-signature': header },
    },
  }
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await pause(20)
}

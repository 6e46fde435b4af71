import { randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import { expect } from 'vitest'
import { taskStatuses } from '../../protocol/rules/task-status.ts'
import { type Actor, expiringReadHeadersOf } from '../support/actors.ts'
import type { Environment } from '../support/conformance.ts'
import { aTaskBody } from '../support/conformance-fixtures.ts'
import { createPayingFetch } from '../support/paying-fetch.ts'
import { createProvingFetch } from '../support/proving-fetch.ts'
import { type Action, type Fields, requestOf } from './actions.ts'
import { type Changes, openLedger } from './ledger.ts'

/** An expected award. */
interface ExpectedAward {
  worker: string
  gross: string
  net: string
  fee: string
  rating?: number | null
}

/**
 * The life of one task over HTTP. In fields and expectations the name of an actor stands for its address.
 */
interface Scenario<Name extends string> {
  actors: Record<Name, Actor>
  taskId: Hex
  /**
   * Performs an action, and pays its price. Returns the body.
   * @throws unless it was admitted, and mined
   */
  perform(who: Name, act: Action, fields?: Fields): Promise<Fields>
  /** Tries an action, which is refused with this status and charges nothing. */
  expectRefusal(who: Name, act: Action, answer: { status: number; reason?: string; fields?: Fields }): Promise<void>
  /** The task in full, as any caller reads it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  task(): Promise<any>
  /** The task has these fields. */
  expectTask(fields: Fields): Promise<void>
  /** Exactly these actions are offered, in any order: `claim by any worker for 200000`, `accept by requester for 1000`. */
  expectOffers(expected: string[]): Promise<void>
  /** The changes of balances since the last check, or the beginning. */
  expectBalanceChanges(changes: Changes<Name>): Promise<void>
  /** The awards by rank. The task is completed, and no part of its reward is left in escrow. */
  expectAwards(expected: ExpectedAward[]): Promise<void>
  /** Advances the time of the chain (ISO as in answers, or Unix seconds), for reads too. */
  advanceTo(time: string | bigint | null): Promise<void>
}

/** The start of a scenario: its actors, each with `startingBalance`, and the task that its requester creates. */
export async function startScenario<Name extends string>(
  environment: Environment,
  { actors: names, task: taskFields = {} }: { actors: readonly Name[]; task?: Fields },
): Promise<Scenario<Name | 'requester'>> {
  type Member = Name | 'requester'
  const members: readonly Member[] = ['requester', ...names]
  const actors = {} as Record<Member, Actor>
  // In sequence: one account funds them all.
  for (const name of members) actors[name] = await environment.aWallet()
  const withAddresses = <Value>(value: Value): Value => replaceNames(value, actors)
  const ledger = await openLedger(environment, actors)

  const post = async (who: Member, path: string, body: unknown, key: string = randomUUID()): Promise<Served> => {
    const { account } = actors[who]
    const fetch = createProvingFetch(account, environment)
    const response = await createPayingFetch({ chain: environment.chain, fetch }, actors[who])(
      `${environment.baseUrl}/api${path}`,
      {
        method: 'POST',
        // A permissionless write belongs to the read identity of its request alone.
        headers: {
          'Content-Type': 'application/json',
          'X-Service-Idempotency-Key': key,
          ...(await expiringReadHeadersOf(actors[who], {
            baseUrl: environment.baseUrl,
            now: await environment.chain.headTime(),
          })),
        },
        body: JSON.stringify(body),
      },
    )
    return { status: response.status, body: (await response.json()) as Served['body'] }
  }
  /** It completed, and its intent too. */
  const postAndLand = async (who: Member, path: string, body: unknown) => {
    const key = randomUUID()
    const answer = await post(who, path, body, key)
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    const intent = await environment.get(`/intents?idempotencyKey=${key}`, { as: actors[who] })
    expect(intent.body, path).toMatchObject({ status: 'completed', txHash: expect.stringMatching(/^0x/) })
    return answer.body
  }
  const { taskId } = await postAndLand('requester', '/tasks', withAddresses(aTaskBody(taskFields)))
  const task = async () => (await environment.get(`/tasks/${taskId}`)).body
  const request = async (who: Member, act: Action, fields: Fields) => {
    const { claimRound } = await task()
    return await requestOf(act, actors[who], { task: { taskId, claimRound }, fields: withAddresses(fields) })
  }
  const nameOf = (address: string) => members.find((name) => actors[name].account.address === address) ?? address

  return {
    actors,
    taskId,
    task,
    perform: async (who, act, fields = {}) => {
      const { verb, body } = await request(who, act, fields)
      const answer = await postAndLand(who, `/tasks/${taskId}/${verb}`, body)
      const { status } = await environment.chain.task(taskId)
      expect((await task()).status, `${act}: the read model follows the chain`).toBe(taskStatuses[status - 1])
      return answer
    },
    expectRefusal: async (who, act, { status, reason = 'payment_preflight_rejected', fields = {} }) => {
      const before = await environment.chain.watch({ who: actors[who].address })
      const { verb, body } = await request(who, act, fields)
      const answer = await post(who, `/tasks/${taskId}/${verb}`, body)
      expect({ act, status: answer.status, reason: answer.body.service?.reason }).toEqual({ act, status, reason })
      expect(await before.changes()).toEqual({ who: 0n })
    },
    expectTask: async (fields) => {
      expect(await task()).toMatchObject(withAddresses(fields))
    },
    expectOffers: async (expected) => {
      const { pendingActions } = await task()
      expect(pendingActions.map((offer: Offer) => describeOffer(offer, nameOf)).sort()).toEqual([...expected].sort())
    },
    expectBalanceChanges: ledger.expectChanges,
    expectAwards: async (expected) => {
      const { status, awards } = await task()
      expect({ status, awards }).toMatchObject({
        status: 'completed',
        awards: expected.map(({ worker, gross, net, fee, rating = null }, index) => ({
          workerAddress: withAddresses(worker),
          rank: index + 1,
          isPrimary: index === 0,
          rating,
          grossAmount: gross,
          workerPayment: net,
          platformFee: fee,
        })),
      })
      expect(awards).toHaveLength(expected.length)
      await ledger.expectEmptyEscrow()
    },
    advanceTo: (time) => advanceTo(environment, time),
  }
}

interface Served {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  body: any
}

/** The fields of an offer that scenarios compare. */
interface Offer {
  action: Action
  role: string
  eligibleAddress: string | null
  paymentAmount: string | null
  targetWorker: string | null
}

function describeOffer(offer: Offer, nameOf: (address: string) => string): string {
  const { action, role, eligibleAddress, paymentAmount, targetWorker } = offer
  const whom = targetWorker === null ? '' : ` ${nameOf(targetWorker)}`
  const anyAccount = role === 'anyone' ? 'anyone' : `any ${role}`
  const who = eligibleAddress === null ? anyAccount : nameOf(eligibleAddress)
  return `${action}${whom} by ${who}${paymentAmount === null ? '' : ` for ${paymentAmount}`}`
}

/** Advances the chain to a time, and the service with it. */
async function advanceTo(environment: Environment, time: string | bigint | null): Promise<void> {
  if (time === null) throw new Error('there is no such moment')
  const moment = typeof time === 'bigint' ? time : BigInt(Math.ceil(Date.parse(time) / 1000))
  const seconds = Number(moment - (await environment.chain.headTime()))
  if (seconds > 0) await environment.chain.passTime(seconds)
  // Reads may use a head that is a second old; a challenge makes the service read the newest one.
  const { status } = await environment.post('/tasks', { body: aTaskBody() })
  expect(status).toBe(402)
}

function replaceNames<Value>(value: Value, actors: Record<string, Actor>): Value {
  const replace = (part: unknown): unknown => {
    if (typeof part === 'string' && Object.hasOwn(actors, part)) return actors[part]?.account.address
    if (Array.isArray(part)) return part.map(replace)
    // A value that is no plain object is a matcher or an amount.
    if (part === null || typeof part !== 'object' || Object.getPrototypeOf(part) !== Object.prototype) return part
    return Object.fromEntries(Object.entries(part).map(([name, field]) => [name, replace(field)]))
  }
  return replace(value) as Value
}

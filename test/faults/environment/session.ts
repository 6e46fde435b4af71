import type { Hex, PrivateKeyAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { attachBonus } from '../../../scripts/contracts/bonus-admin.ts'
import { connect } from '../../../scripts/contracts/chain.ts'
import { mintLocalUsdc } from '../../../scripts/contracts/deploy.ts'
import { operations } from '../client/classes.ts'
import type { Draft, PreparedWrite, Reached } from '../client/operations.ts'
import type { Outcome } from '../client/outcome.ts'
import { perform, type Service } from '../client/perform.ts'
import { createRecordingFetch } from '../client/recording-fetch.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { pollUntil } from '../poll-until.ts'
import type { Random } from '../random.ts'
import { createBalancer } from './balancer.ts'
import type { Environment } from './environment.ts'
import type { WriteEntry } from './evidence-log.ts'
import { quiesce } from './quiesce.ts'
import type { Replica } from './replica.ts'
import { makeReward } from './rewards.ts'
import { untilIndexed } from './until-indexed.ts'

/** A fault case's context, and what the report shows of it. */
export interface Session {
  context: FaultCaseContext
  /** Every write of the fault case, preparations included. */
  writes: PreparedWrite[]
  recoveriesMs: number[]
  notes: string[]
}

/** Opens a fault case in an environment whose API processes are up as its topology requires. */
export function openSession(environment: Environment, faultCase: FaultCase, random: Random): Session {
  const { log } = environment
  const replicas = environment.replicas.slice(0, faultCase.topology)
  const balancer = createBalancer(replicas)
  const service: Service = {
    deployment: environment.deployment,
    choose: balancer.choose,
    fetchOf: (replica) => createRecordingFetch(log, faultCase.name, replica),
    now: async () => (await environment.client.getBlock({ blockTag: 'latest' })).timestamp,
  }
  const session: Omit<Session, 'context'> = { writes: [], recoveriesMs: [], notes: [] }

  const wallet = async (baseUnits: bigint): Promise<PrivateKeyAccount> => {
    const account = privateKeyToAccount(random.bytes32())
    const address = account.address.toLowerCase() as Hex
    if (baseUnits > 0n) await mintLocalUsdc(environment.anvil.url, address, baseUnits)
    log.minted.set(address, baseUnits)
    return account
  }
  const reach = async (wanted?: Replica): Promise<Reached> => {
    const replica = wanted ?? (await balancer.choose(AbortSignal.timeout(60_000)))
    return { url: replica.url, fetch: service.fetchOf(replica) }
  }
  const register = (write: PreparedWrite): WriteEntry => {
    const { id, mode, call, account, charge, effect } = write
    const entry = {
      id,
      mode,
      key: call.key,
      charge,
      effect,
      actor: account.address.toLowerCase() as Hex,
      nonces: write.nonce === undefined ? [] : [write.nonce],
      outcome: null,
      isForeign: write.isForeign === true,
    }
    log.writes.push(entry)
    session.writes.push(write)
    return entry
  }
  const performAndNote = async (write: PreparedWrite): Promise<Outcome> => {
    const entry = register(write)
    entry.outcome = await perform(service, write, entry)
    return entry.outcome
  }
  let count = 0
  const name = (draft: Draft, className: string): PreparedWrite => ({ ...draft, id: `${className} ${++count}` })
  const prepareOne = async (className: string): Promise<PreparedWrite> => {
    const operation = operations[className]
    if (operation === undefined) throw new Error(`there is no class of writes named ${className}`)
    const draft = await operation.prepare({
      random,
      wallet,
      reach,
      now: service.now,
      startBonus: () => startBonus(environment, reach),
      makeReward: (worker) => makeReward(environment, { worker, reach }),
      perform: async (setup) => {
        const outcome = await performAndNote(name(setup, 'setup'))
        if (outcome.kind !== 'completed') {
          throw new Error(`what ${className} needs could not be made: ${JSON.stringify(outcome)}`)
        }
        if (outcome.txHash !== null) await untilIndexed(environment, outcome.txHash)
        return outcome
      },
    })
    return name(draft, className)
  }
  const context: FaultCaseContext = {
    environment,
    random,
    replicas,
    wallet,
    reach,
    now: service.now,
    prepare: async (className, writes = 1) => {
      const prepared: PreparedWrite[] = []
      // In sequence: the values of a seed must not depend on timing.
      for (let index = 0; index < writes; index++) prepared.push(await prepareOne(className))
      return prepared
    },
    perform: performAndNote,
    prefer: balancer.prefer,
    quiesce: () => quiesce(environment),
    until: pollUntil,
    noteRecovery: (milliseconds) => session.recoveriesMs.push(milliseconds),
    noteForeignTransaction: (hash) => log.foreignTransactions.add(hash),
    noteForeignSettlement: (nonce) => log.foreignSettlements.add(nonce),
    note: (text) => session.notes.push(text),
  }
  return { ...session, context }
}

/** Makes the programme of bonuses a default hook of the market, once, and waits until the service shows it. */
async function startBonus({ anvil, deployment }: Environment, reach: () => Promise<Reached>): Promise<void> {
  const { market, bonusHook } = deployment
  if (bonusHook === undefined) throw new Error('the chain has no programme of bonuses')
  const isShown = async () => {
    const { url, fetch } = await reach()
    const answer = await fetch(`${url}/api/hooks/attachment-configuration`)
    return ((await answer.json()) as { defaultHooks: string[] }).defaultHooks.length > 0
  }
  if (await isShown()) return
  await attachBonus(await connect(anvil.url, devAccount('owner').privateKey), market, bonusHook)
  await pollUntil('the programme of bonuses is shown', isShown)
}

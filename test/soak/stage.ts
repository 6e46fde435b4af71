import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres, { type Sql } from 'postgres'
import { findFreePort } from '../../ops/process/ports.ts'
import { loginUrl, readerLogin } from '../../scripts/postgres/database-logins.ts'
import { startAnalystsStandby } from '../../scripts/stack/analysts-standby.ts'
import { startGraphql } from '../../scripts/stack/graphql-process.ts'
import type { HttpProcess } from '../../scripts/stack/http-process.ts'
import { type Environment, startEnvironment } from '../faults/environment/environment.ts'
import { raiseReplicas } from '../faults/environment/raise-replicas.ts'
import type { FaultCase } from '../faults/fault-case.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'

/** How long files are kept that no write needs: short enough to see them go, seconds. */
export const FILE_SECONDS = 600

/** Everything that a soak runs on: the environment of the fault suite, with GraphQL, analysts' standby and a receiver. */
export interface Stage {
  environment: Environment
  /** The case that `openSession` and `raiseReplicas` take: two API processes with the intervals of the service. */
  soakCase: FaultCase
  graphqlUrl: string
  graphqlPid(): number
  /** Kills GraphQL and starts it again, as a unit would. */
  restartGraphql(): Promise<void>
  standbySql: Sql
  receiver: Receiver
  /** Where the standby has its data. */
  standbyCluster: string
  stop(): Promise<void>
}

/** @param log receives a line of what parts say */
export async function openStage(log: (line: string) => void): Promise<Stage> {
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    return Object.assign(await bringUp(undo, log), { stop })
  } catch (error) {
    await stop()
    throw error
  }
}

async function bringUp(undo: (() => Promise<unknown>)[], log: (line: string) => void): Promise<Omit<Stage, 'stop'>> {
  const environment = await startEnvironment({
    // Those of the service, but for files.
    POLLING_INTERVAL_MS: '500',
    RESEND_AFTER_MS: '4000',
    REPLACE_AFTER_MS: '20000',
    FILE_SWEEP_MS: '60000',
    FILE_RETENTION_SECONDS: String(FILE_SECONDS),
  })
  undo.push(environment.stop)
  const { databaseUrl } = environment
  const standbyData = mkdtempSync(join(tmpdir(), 'task-market-soak-standby-'))
  chmodSync(standbyData, 0o711)
  let isStopping = false
  const standby = await startAnalystsStandby({
    primaryUrl: databaseUrl,
    dataDir: standbyData,
    port: await findFreePort(),
    metricsPort: await findFreePort(),
    log: (line) => log(`standby: ${line}`),
    isWanted: () => !isStopping,
  })
  undo.push(() => {
    isStopping = true
    return standby.stop()
  })
  const standbySql = postgres(standby.at(databaseUrl), { max: 1, onnotice: () => {} })
  undo.push(() => standbySql.end({ timeout: 1 }))
  const receiver = await startReceiver()
  undo.push(receiver.stop)
  const soakCase: FaultCase = {
    name: 'soak',
    topology: 2,
    short: false,
    isOutage: true,
    settings: { READER_DATABASE_URL: standby.at(loginUrl(databaseUrl, readerLogin)) },
    run: async () => {},
  }
  await raiseReplicas(environment, soakCase)
  const graphql = await openGraphql(environment)
  undo.push(() => graphql.stop())
  return {
    environment,
    soakCase,
    standbySql,
    receiver,
    standbyCluster: join(standbyData, 'standby', 'cluster'),
    ...graphql.stage,
  }
}

async function openGraphql({ databaseUrl, deploymentFile, directory }: Environment) {
  const port = await findFreePort()
  let starts = 0
  const start = (): Promise<HttpProcess> => {
    starts += 1
    return startGraphql({
      port,
      deploymentFile,
      readerDatabaseUrl: loginUrl(databaseUrl, readerLogin),
      logFile: join(directory, 'logs', `graphql-${starts}.log`),
      environment: { GRAPHQL_REQUESTS_PER_MINUTE: '1000000' },
    })
  }
  let running = await start()
  return {
    stop: () => running.stop(),
    stage: {
      graphqlUrl: `${running.url}/graphql`,
      graphqlPid: () => running.child.pid,
      restartGraphql: async () => {
        process.kill(running.child.pid, 'SIGKILL')
        await running.child.ended
        running = await start()
      },
    },
  }
}

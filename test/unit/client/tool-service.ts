import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll } from 'vitest'
import { type CliRun, runTool, wordsOf } from '../../support/client/silent-io.ts'
import { listen } from './listen.ts'
import { testDeployment } from './paid-service.ts'

export const address = (digits: string) => `0x${digits.repeat(20)}`
export const key = `0x${'42'.repeat(32)}` as const
export const account = privateKeyToAccount(key)
/** Its forwarder is not in lower case, as texts to sign have it. */
export const deployment = { ...testDeployment, forwarder: address('B2') } as const

/** A request as the service got it. */
export interface Heard {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** 200 unless it says otherwise. */
export interface Answer {
  status?: number
  body: unknown
  headers?: Record<string, string>
}

/** What the tool may be given: variables of the environment, a terminal. */
type Given = NonNullable<Parameters<typeof runTool>[1]>

export interface ToolService {
  readonly url: string
  /** Ends with the file of tests. */
  directory: string
  deploymentFile: string
  /** A new folder for a wallet. */
  aHome(): string
  /** Variables of a tool with a wallet at the service. */
  readonly env: Record<string, string>
  /** Runs the tool with these, in a home of its own unless told. */
  run(line: string, given?: Given): Promise<CliRun>
}

/**
 * A service on this machine for a file of tests.
 * @param answer what it answers; null: it closes the connection
 */
export function aToolService(answer: (request: Heard) => Answer | null): ToolService {
  const directory = mkdtempSync(join(tmpdir(), 'task-market-tool-'))
  const deploymentFile = join(directory, 'deployment.json')
  let served: Awaited<ReturnType<typeof listen>> | undefined
  beforeAll(async () => {
    writeFileSync(deploymentFile, JSON.stringify(deployment))
    served = await listen(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { method = '', url: path = '', headers } = request
      const given = answer({ method, path, headers, body: Buffer.concat(chunks).toString() })
      if (given === null) return void response.destroy()
      response.writeHead(given.status ?? 200, { 'Content-Type': 'application/json', ...given.headers })
      response.end(JSON.stringify(given.body))
    })
  })
  afterAll(() => {
    served?.stop()
    rmSync(directory, { recursive: true })
  })
  const service: ToolService = {
    directory,
    deploymentFile,
    get url() {
      return served?.url ?? ''
    },
    get env() {
      return {
        TASK_MARKET_URL: service.url,
        TASK_MARKET_HOME: join(directory, 'home'),
        TASK_MARKET_DEPLOYMENT: deploymentFile,
        TASK_MARKET_PRIVATE_KEY: key,
      }
    },
    aHome: () => mkdtempSync(join(directory, 'home-')),
    run: (line, given = {}) =>
      runTool(wordsOf(line), {
        ...given,
        env: { ...service.env, TASK_MARKET_HOME: service.aHome(), ...given.env },
      }),
  }
  return service
}

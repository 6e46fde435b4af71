import { inject } from 'vitest'
import type { Deployment } from '../../scripts/contracts/deploy.ts'
import type { DatabaseLogins } from '../../scripts/postgres/database-logins.ts'
import { type Actor, anActor } from './actors.ts'
import { type ChainView, openChainView } from './conformance-chain.ts'
import { createFixtures, type Fixtures } from './conformance-fixtures.ts'
import { type Http, openHttp } from './conformance-http.ts'
import { aKey, createPayingClient, type PayingClient, type Reply } from './paying-client.ts'

/** Addresses of the stack of a conformance run. */
export interface ConformanceStack {
  baseUrl: string
  rpcUrl: string
  /** As the server's superuser. */
  databaseUrl: string
  logins: DatabaseLogins
  deploymentFile: string
  artifactDirectory: string
  deployment: Deployment
}

declare module 'vitest' {
  interface ProvidedContext {
    conformanceStack: ConformanceStack
  }
}

/** Balance of a new wallet, base units. */
export const startingBalance = 100_000_000n

/** The environment of a conformance test: the service over HTTP, the chain, and new wallets. */
export interface Environment extends Http, Fixtures {
  chain: ChainView
  /** A new wallet with `startingBalance`. */
  aWallet(): Promise<Actor>
  /**
   * The plain client of a wallet: HTTP, JSON and EIP-712, every answer checked against the document. Its clock is the
   * chain's current time: tests of expiry run ahead of the host's.
   */
  clientOf(wallet: Actor): Promise<PayingClient>
  /** Both rounds of a paid write by plain HTTP. @throws when the first answer requires no payment */
  pay(payer: Actor, path: string, body?: unknown, key?: string): Promise<Reply>
}

/** The environment of a test file, on the stack that all files of the run share. */
export function openEnvironment(): Environment {
  return openEnvironmentOf(inject('conformanceStack'))
}

/** The environment of a stack that a test file has for itself. */
export function openEnvironmentOf({
  baseUrl,
  rpcUrl,
  deployment,
}: Pick<ConformanceStack, 'baseUrl' | 'rpcUrl' | 'deployment'>): Environment {
  const chain = openChainView(rpcUrl, deployment)
  const http = openHttp(baseUrl, { now: chain.headTime })
  const clientOf: Environment['clientOf'] = async ({ account }) => {
    const now = await chain.headTime()
    return createPayingClient({ baseUrl, account, fetch: http.fetch, now: () => now })
  }
  const pay: Environment['pay'] = async (payer, path, body, key = aKey()) =>
    (await clientOf(payer)).pay({ path, body, key })
  return {
    ...http,
    ...createFixtures({ pay, get: http.get, post: http.post }),
    chain,
    clientOf,
    pay,
    aWallet: async () => {
      const wallet = anActor()
      await chain.fund(wallet.address, startingBalance)
      return wallet
    },
  }
}

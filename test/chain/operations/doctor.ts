import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import postgres from 'postgres'
import { createTestClient, http, type TestClient } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../../ops/doctor/check.ts'
import { runChecks } from '../../../ops/doctor/run-checks.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import type { TestStack } from '../../support/stack.ts'

/** Registers these tests, on a stack with a standby that the caller starts and ends, and whose service runs. */
export function testDoctor(stackOf: () => TestStack): void {
  describe('npm run doctor on a running stack', () => {
    let stack: TestStack
    let chain: TestClient
    let sql: postgres.Sql
    beforeAll(() => {
      stack = stackOf()
      chain = createTestClient({ mode: 'anvil', transport: http(stack.anvil.url) })
      sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
    })
    afterAll(() => sql?.end())

    /** The findings but those of the disk, which is that of the machine of the test. */
    const without = (findings: readonly Finding[]) => findings.filter(({ check }) => check !== 'disk')

    /** Runs the command as an operator does, with the settings of the service. */
    async function runCommand(settings: Record<string, string>) {
      const child = spawn(process.execPath, ['scripts/doctor.ts', '--json'], {
        cwd: repositoryRoot,
        env: { PATH: process.env.PATH, ...settings },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
      return { code, output, report: JSON.parse(output) as { status: string; findings: Finding[] } }
    }

    it('given all parts run, then it finds no fault, on the service’s machine and, without keys, on the indexer’s', async () => {
      const { api, deploymentFile, anvil, logins } = stack
      const indexer = { DATABASE_URL: logins.indexerUrl, RPC_URL: anvil.url, DEPLOYMENT_FILE: deploymentFile }
      const [both, alone] = await Promise.all([
        runChecks((program) => (program === 'api' ? api().settings : program === 'indexer' ? indexer : {})),
        runChecks(() => indexer),
      ])
      // The first comparison may be still to come.
      const told = without(both).filter(({ result, fault }) => result !== 'ok' && fault !== 'not_compared')
      expect(told.map(({ finding }) => finding)).toEqual([
        expect.stringMatching('^graphql, export, standby-keeper, relayer: not set up here'),
        'owners and roles: the deployment file records no setup to compare them with',
      ])
      expect(without(alone).filter(({ fault }) => fault !== undefined)).toEqual([])
      expect(alone.filter(({ check, result }) => check === 'relayers' && result === 'unchecked')).toHaveLength(1)
    })

    it('given other code at an address, a relayer without ether, a right that was revoked and a bucket of another time, then each has its finding, the exit code is 1, and no secret is printed', async () => {
      const { identityRegistrar } = stack.deployment
      const [relayer] = devRelayers()
      const address = relayer?.account.address ?? '0x'
      const client = stack.client
      const [code, balance] = [
        await client.getCode({ address: identityRegistrar }),
        await client.getBalance({ address }),
      ]
      const bucket = createServer((_request, response) => {
        response.sendDate = false
        response.setHeader('Date', new Date(Date.now() + 600_000).toUTCString())
        response.writeHead(403).end()
      })
      await once(bucket.listen(0, '127.0.0.1'), 'listening')
      const endpoint = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`
      try {
        await chain.setCode({ address: identityRegistrar, bytecode: '0x00' })
        await chain.setBalance({ address, value: 0n })
        // Nothing reads it: the loops of the service go on, and log no failures.
        await sql`CREATE VIEW market.unread AS SELECT 1 AS one`
        await sql`GRANT SELECT ON market.unread TO market_service`
        await sql`REVOKE SELECT ON market.unread FROM market_service`
        const { READER_DATABASE_URL: _, ...settings } = stack.api().settings
        const s3 = {
          S3_REGION: 'here',
          S3_BUCKET: 'files',
          S3_ACCESS_KEY_ID: 'an-id-of-a-key',
          S3_SECRET_ACCESS_KEY: 'a-secret',
        }
        const run = await runCommand({ ...settings, STORAGE: 's3', S3_ENDPOINT: endpoint, ...s3 })
        expect(run.code).toBe(1)
        expect(run.report.status).toBe('wrong')
        const wrong = without(run.report.findings).filter(({ result }) => result === 'wrong')
        expect(wrong.map(({ check, fault }) => `${check} ${fault}`)).toEqual([
          'logins missing_right',
          'contracts other_code',
          'relayers underfunded',
          'storage clock',
          'storage unusable',
        ])
        for (const { remedy } of wrong) expect(remedy).toBeTruthy()
        for (const secret of [relayer?.privateKey.slice(2), settings.URL_SIGNING_SECRET, 'an-id-of-a-key']) {
          expect(run.output).not.toContain(secret)
        }
      } finally {
        await chain.setCode({ address: identityRegistrar, bytecode: code ?? '0x' })
        await chain.setBalance({ address, value: balance })
        await sql`DROP VIEW market.unread`
        bucket.close()
      }
    })
  })
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Check, Finding } from '../../../ops/doctor/check.ts'
import { checks } from '../../../ops/doctor/checks.ts'
import { openContext } from '../../../ops/doctor/open-context.ts'
import { runCheck, runChecks } from '../../../ops/doctor/run-checks.ts'
import { toText } from '../../../ops/doctor/to-text.ts'
import { toDoctorPage } from '../../../scripts/doctor/page.ts'

const directory = mkdtempSync(join(tmpdir(), 'task-market-doctor-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Without those of the disk, which is that of the machine of the test. */
const faultsOf = (findings: readonly Finding[]) =>
  findings.flatMap(({ check, fault }) => (fault === undefined || check === 'disk' ? [] : [`${check} ${fault}`]))

test('given the page of the checks, then it is the one that they make', () => {
  const page = readFileSync(new URL('../../../docs/operate/doctor.md', import.meta.url), 'utf8')
  expect(page, 'run node scripts/doctor-page.ts').toBe(toDoctorPage())
})

test('given each fault, then it says what is wrong and what to do, in one line each', () => {
  const faults = checks.flatMap(({ name, faults }) =>
    Object.entries(faults).map(([fault, text]) => ({ name, fault, ...text })),
  )
  for (const { meaning, remedy } of faults) {
    expect(meaning).toMatch(/^[^\n.]*(\.\.\. )?[^\n]*[^.\n]$/)
    expect(remedy).toMatch(/^[A-Za-z][^\n]*$/)
  }
  expect(new Set(faults.map(({ name, fault }) => `${name} ${fault}`)).size).toBe(faults.length)
})

describe('a machine on which nothing answers', () => {
  const secrets = [
    'a-password-of-a-database',
    'a-key-of-a-node',
    `${'34'.repeat(32)}`,
    'a secret of the tests, long enough',
  ]
  let findings: Finding[]
  beforeAll(async () => {
    const closed = '127.0.0.1:1'
    const file = join(directory, 'deployment.json')
    const address = `0x${'12'.repeat(20)}`
    const contracts = { market: { address, codeHash: '0x00' }, forwarder: { address, codeHash: '0x00' } }
    writeFileSync(
      file,
      JSON.stringify({
        chainId: 8453,
        name: 'base',
        usdc: { address, name: 'USD Coin', version: '2' },
        multicall3: address,
        contracts: { ...contracts, identityRegistrar: { address, codeHash: '0x00' } },
        registries: { identityRegistry: { address }, reputationRegistry: { address } },
      }),
    )
    findings = await runChecks(() => ({
      DATABASE_URL: `postgres://market_service:${secrets[0]}@${closed}/market`,
      READER_DATABASE_URL: `postgres://market_reader:${secrets[0]}@${closed}/market`,
      RPC_URL: `http://${closed}/${secrets[1]}`,
      DEPLOYMENT_FILE: file,
      RELAYER_SIGNERS: `keystore:${directory}/none.json?passphrase=${directory}/none`,
      RELAYER_KEYS: `0x${secrets[2]}`,
      URL_SIGNING_SECRET: secrets[3],
      STORAGE: 's3',
      S3_ENDPOINT: `http://${closed}`,
      S3_REGION: 'here',
      S3_BUCKET: 'files',
      S3_ACCESS_KEY_ID: 'an-access-key-id',
      S3_SECRET_ACCESS_KEY: secrets[0],
      PUBLIC_BASE_URL: `https://${closed}`,
      ARTIFACT_BASE_URL: `http://${closed}`,
      LEGAL_DIRECTORY: directory,
      FAILPOINT: 'here',
      LOG_LEVEL: 'loud',
    }))
  })

  test('then each part has its finding, and a wrong setting hides none', () => {
    expect(faultsOf(findings).toSorted()).toEqual([
      'analysts refused',
      'certificates plain',
      'certificates unreachable',
      'chain no_node',
      'database unreachable',
      'database unreachable',
      'relayers signer',
      'settings file',
      'settings refused',
      'settings refused',
      'storage unavailable',
      'storage unreachable',
    ])
  })

  test('then what cannot be checked without it is no fault of its own', () => {
    const unchecked = findings
      .filter(({ result }) => result === 'unchecked')
      .map(({ check, finding }) => [check, finding])
    expect(unchecked).toEqual([
      ['settings', 'export, standby-keeper: not set up here'],
      ['logins', 'DATABASE_URL of api: its database does not let it in'],
      ['logins', 'READER_DATABASE_URL: its database does not let it in'],
      ['contracts', 'first repair what the check `chain` found'],
      ['indexer', 'first repair what the check `database` found'],
      ['books', 'first repair what the check `database` found'],
    ])
  })

  test('then every fault has a remedy, and no secret is in the report', () => {
    for (const { fault, remedy } of findings) expect(remedy === undefined).toBe(fault === undefined)
    const report = `${toText(findings)}${JSON.stringify(findings)}`
    for (const secret of [...secrets, 'an-access-key-id']) expect(report).not.toContain(secret)
    expect(report).not.toContain('    at ')
  })
})

test('given the environment of nothing, then the service is not checked, and that is the only fault', async () => {
  const findings = await runChecks(() => ({}))
  expect(faultsOf(findings)).toEqual(['settings none'])
  expect(new Set(findings.map(({ check }) => check))).toEqual(new Set(checks.map(({ name }) => name)))
})

describe('a check', () => {
  const fault = { result: 'wrong', meaning: '... gives no answer', remedy: 'Look at it.' } as const
  const aCheck = (find: Check['find']): Check => ({
    name: 'x',
    looksAt: 'x',
    timeLimitMs: 20,
    faults: { no_answer: fault },
    find,
  })
  const { context } = openContext(() => ({}))

  test('given it does not end, then it is a finding at its time limit', async () => {
    const findings = await runCheck(
      aCheck(() => delay(60_000, [], { ref: false })),
      context,
    )
    expect(findings).toEqual([
      {
        check: 'x',
        fault: 'no_answer',
        result: 'wrong',
        finding: ' gives no answer: it took longer than 0.02 s',
        remedy: 'Look at it.',
      },
    ])
  })

  test('given it throws, then the reason is in the finding, without a stack', async () => {
    const failed = new Error('fetch failed', { cause: new AggregateError([new Error('connect ECONNREFUSED')]) })
    const [finding] = await runCheck(
      aCheck(() => Promise.reject(failed)),
      context,
    )
    expect(finding?.finding).toMatch(/: connect ECONNREFUSED$/)
  })
})

test('given findings, then the text has a line for each with its remedy below it, and the counts', () => {
  const findings: Finding[] = [
    { check: 'disk', result: 'ok', finding: 'ARTIFACT_DIR: room' },
    { check: 'chain', result: 'wrong', fault: 'no_node', finding: 'RPC_URL has no node', remedy: 'Name one.' },
  ]
  expect(toText(findings).split('\n')).toEqual([
    'disk   ok       ARTIFACT_DIR: room',
    'chain  WRONG    RPC_URL has no node',
    '                -> Name one.',
    '',
    '1 ok, 0 warnings, 1 wrong, 0 not checked here',
  ])
})

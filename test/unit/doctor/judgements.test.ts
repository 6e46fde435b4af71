import { expect, test } from 'vitest'
import type { Books } from '../../../api/read-model/books.queries.ts'
import { judgeSnapshot } from '../../../ops/doctor/analysts.ts'
import { judgeBooks } from '../../../ops/doctor/books.ts'
import { judgeCertificate } from '../../../ops/doctor/certificates.ts'
import { judgeNodeList, type NodeFacts } from '../../../ops/doctor/chain.ts'
import type { Observation } from '../../../ops/doctor/check.ts'
import { type CodeFacts, judgeCodes, judgeLines } from '../../../ops/doctor/contracts.ts'
import { judgeServer, type ServerFacts } from '../../../ops/doctor/database.ts'
import { type DiskFacts, judgeDisk, judgeExports } from '../../../ops/doctor/disk.ts'
import { judgeRows, judgeStart } from '../../../ops/doctor/indexer.ts'
import { judgeLogin } from '../../../ops/doctor/logins.ts'
import { readPrograms } from '../../../ops/doctor/read-programs.ts'
import { judgeRelayers, type RelayerFacts } from '../../../ops/doctor/relayers.ts'
import type { LoginFacts } from '../../../ops/doctor/rights.ts'
import { judgeSettings } from '../../../ops/doctor/settings.ts'
import { isOfAnother, judgeClock } from '../../../ops/doctor/storage.ts'

const DAY = 86_400_000

const api = {
  DATABASE_URL: 'postgres://market_service:secret@127.0.0.1/market',
  RPC_URL: 'http://127.0.0.1:8545',
  RELAYER_KEYS: `0x${'12'.repeat(32)}`,
  URL_SIGNING_SECRET: 'a secret of the tests, long enough',
}
const ofSettings = (environment: Record<string, string>) => judgeSettings(readPrograms(() => environment))

const server: ServerFacts = {
  versionNumber: 180_004,
  isStandby: false,
  isReadOnly: false,
  encoding: 'UTF8',
  hasPlpgsql: true,
  freeConnections: 60,
  maxConnections: 100,
}
const primary = { setting: 'DATABASE_URL', role: 'api', place: 'primary' } as const
const standby = { setting: 'READ_DATABASE_URLS', role: 'replica', place: 'standby' } as const
const ofServer = (facts: Partial<ServerFacts>, use: typeof primary | typeof standby = primary) =>
  judgeServer(use, { ...server, ...facts })

const login: LoginFacts = { login: 'market_reader', isSuperuser: false, connectionLimit: 9, missing: [], excessive: [] }
const ofLogin = (facts: Partial<LoginFacts>, role: 'api' | 'reader' | 'keeper' = 'reader') =>
  judgeLogin({ setting: 'READER_DATABASE_URL', role }, { ...login, ...facts })

const node: NodeFacts = { verdict: 'ok', block: 7n, isStale: false }
const silent: NodeFacts = { verdict: 'silent', block: null, isStale: false }

const code: CodeFacts = { name: 'market', address: '0x01', recorded: '0xAB', present: '0xab' }

const relayer: RelayerFacts = {
  address: `0x${'a1'.repeat(20)}`,
  nextNonce: 5n,
  minedNonce: 5n,
  balanceWei: 10n ** 18n,
  isUnderfunded: false,
  isRefused: false,
  days: 40,
}
const ofRelayer = (facts: Partial<RelayerFacts>) => judgeRelayers([{ ...relayer, ...facts }])

const rows = { served: 'idx_1', expected: 'idx_1' }
const lag = { status: 'ok', block: 7, blocksBehind: 0 } as const

const round = { block: '7', timestamp: '7', differences: [], suspects: [], unread: {} }
const books = {
  sums: { ...round, assets: [], cursors: { vault: '', credit: '', requester: '' } },
  tasks: { ...round, cursor: null, startedAt: 0, rotationSeconds: 60 },
  sumsAge: 8,
  tasksAge: 20,
} satisfies Books
const differing = { ...books.sums, differences: [{ sum: 'ledger' as const, of: null, amount: '1' }] }

const disk: DiskFacts = { of: 'ARTIFACT_DIR', freeBytes: 50e9, sizeBytes: 100e9, freeFiles: 1e6, reserveBytes: 1e9 }
const ofDisk = (facts: Partial<DiskFacts>) => judgeDisk({ ...disk, ...facts })

const ofCertificate = (days: number, distrust: string | null = null) =>
  judgeCertificate('PUBLIC_BASE_URL', { expiry: days * DAY, distrust }, 0)

const cases: [check: string, what: string, found: Observation<string>[], faults: string[]][] = [
  ['settings', 'an environment of the service', ofSettings(api), []],
  ['settings', 'nothing', ofSettings({}), ['none']],
  ['settings', 'two wrong ones', ofSettings({ ...api, PORT: 'x', QUOTAS: '0' }), ['refused', 'refused']],
  [
    'settings',
    'a secret without what belongs to it',
    ofSettings({ URL_SIGNING_SECRET: 'short' }),
    Array(4).fill('refused'),
  ],
  [
    'settings',
    'the indexer alone, without keys',
    ofSettings({ DATABASE_URL: api.DATABASE_URL, RPC_URL: api.RPC_URL }),
    [],
  ],
  ['settings', 'an unknown name', ofSettings({ ...api, SENTRY_DSN: 'x' }), ['unknown_names']],
  ['settings', 'a misspelt name', ofSettings({ ...api, RELAYER_KEY: 'x' }), ['refused']],

  ['database', 'a primary', ofServer({}), []],
  ['database', 'a replica', ofServer({ isStandby: true, isReadOnly: true, freeConnections: null }, standby), []],
  ['database', 'PostgreSQL 16', ofServer({ versionNumber: 160_004 }), ['too_old']],
  ['database', 'a standby as primary', ofServer({ isStandby: true, isReadOnly: true }), ['wrong_server']],
  ['database', 'a primary as replica', ofServer({}, standby), ['wrong_server']],
  ['database', 'a primary without writes', ofServer({ isReadOnly: true }), ['read_only']],
  ['database', 'another encoding', ofServer({ encoding: 'SQL_ASCII' }), ['encoding']],
  ['database', 'no plpgsql', ofServer({ hasPlpgsql: false }), ['no_plpgsql']],
  ['database', 'nine free connections', ofServer({ freeConnections: 9 }), ['few_connections']],

  ['logins', 'the reader', ofLogin({}), []],
  ['logins', 'a right that is missing', ofLogin({ missing: ['read every view of market'] }), ['missing_right']],
  ['logins', 'a right too many', ofLogin({ excessive: ['use the schema service'] }), ['excessive_right']],
  ['logins', 'the reader as superuser', ofLogin({ isSuperuser: true }), ['reader_superuser']],
  ['logins', 'the service as superuser', ofLogin({ isSuperuser: true }, 'api'), ['superuser']],
  ['logins', 'the keeper as superuser', ofLogin({ isSuperuser: true }, 'keeper'), []],
  ['logins', 'five connections of the reader', ofLogin({ connectionLimit: 5 }), ['reader_limit']],
  ['logins', 'any number of connections', ofLogin({ connectionLimit: -1 }), []],

  ['chain', 'one node', judgeNodeList([node], 8453), []],
  ['chain', 'a silent node', judgeNodeList([silent], 8453), ['no_node']],
  ['chain', 'one of two nodes silent', judgeNodeList([node, silent], 8453), ['node']],
  ['chain', 'an old head', judgeNodeList([{ ...node, isStale: true }], 8453), ['stale']],

  ['contracts', 'the recorded code', judgeCodes([code], 'file'), []],
  ['contracts', 'no contracts', judgeCodes([], 'file'), ['none']],
  ['contracts', 'no code', judgeCodes([{ ...code, present: null }], 'file'), ['no_code']],
  ['contracts', 'other code', judgeCodes([{ ...code, present: '0xac' }], 'file'), ['other_code']],
  ['contracts', 'roles as recorded', judgeLines([{ what: 'owner', result: 'ok' }]), []],
  ['contracts', 'a fee that the owner changed', judgeLines([{ what: 'fee', result: 'changed', note: 'n' }]), []],
  ['contracts', 'another owner', judgeLines([{ what: 'owner', result: 'differs', note: 'n' }]), ['differs']],
  ['contracts', 'an owner to come', judgeLines([{ what: 'owner', result: 'pending' }]), ['pending']],

  ['relayers', 'a relayer', ofRelayer({}), []],
  ['relayers', 'one without writes', ofRelayer({ days: null }), []],
  ['relayers', 'one before its first write', ofRelayer({ nextNonce: 0n }), []],
  ['relayers', 'one that may not relay', ofRelayer({ isRefused: true }), ['refused']],
  ['relayers', 'one without ether', ofRelayer({ isUnderfunded: true, balanceWei: 0n, days: 0 }), ['underfunded']],
  ['relayers', 'ether for six days', ofRelayer({ days: 6.9 }), ['short_runway']],
  ['relayers', 'a nonce ahead', ofRelayer({ minedNonce: 6n }), ['used_elsewhere']],

  ['storage', 'a bucket 29 s behind', judgeClock(-29, 'https://s3.example'), []],
  ['storage', 'a bucket 30 s ahead', judgeClock(30, 'https://s3.example'), ['clock_near']],
  ['storage', 'a bucket 5 min behind', judgeClock(-300, 'https://s3.example'), ['clock']],

  [
    'indexer',
    'what a start needs',
    judgeStart({ node: { status: 'ok' }, deployment: { status: 'ok' }, database: { status: 'ok' } }),
    [],
  ],
  [
    'indexer',
    'a node that fails',
    judgeStart({ node: { status: 'failed', reason: 'r' }, deployment: { status: 'ok' }, database: { status: 'ok' } }),
    ['cannot_start'],
  ],
  ['indexer', 'rows of now', judgeRows(lag, rows), []],
  ['indexer', 'old rows', judgeRows({ ...lag, status: 'failed', reason: 'r' }, rows), ['late']],
  ['indexer', 'rows of another release', judgeRows(lag, { ...rows, expected: 'idx_2' }), ['other_release']],

  ['books', 'equal ones', judgeBooks(books), []],
  ['books', 'a difference', judgeBooks({ ...books, sums: differing }), ['differ']],
  ['books', 'an old comparison', judgeBooks({ ...books, tasksAge: 301 }), ['not_compared']],
  ['books', 'none yet', judgeBooks({ sums: null, tasks: null, sumsAge: null, tasksAge: null }), ['not_compared']],

  ['analysts', 'rows of now', judgeSnapshot(100n, 160n), []],
  ['analysts', 'rows a minute old', judgeSnapshot(100n, 161n), ['late']],
  ['analysts', 'no rows where the primary has some', judgeSnapshot(null, 100n), ['late']],
  ['analysts', 'no rows anywhere', judgeSnapshot(null, null), []],

  ['disk', 'half a disk', ofDisk({}), []],
  ['disk', 'less than the reserve', ofDisk({ freeBytes: 1e9 }), ['full']],
  ['disk', 'less than a tenth', ofDisk({ freeBytes: 9e9 }), ['nearly_full']],
  ['disk', 'few inodes', ofDisk({ freeFiles: 9_999 }), ['few_files']],
  ['disk', 'a file system without inodes', ofDisk({ freeFiles: null }), []],
  ['disk', 'a folder of exports that is not there', judgeExports('/srv/exprots'), ['missing']],

  ['certificates', 'a month', ofCertificate(30), []],
  ['certificates', '13 days', ofCertificate(13.9), ['expiring']],
  ['certificates', 'an expired one', ofCertificate(0, 'CERT_HAS_EXPIRED'), ['expired']],
  ['certificates', 'another name', ofCertificate(30, 'ERR_TLS_CERT_ALTNAME_INVALID'), ['untrusted']],
]

test.each(cases)(
  '%s: given %s, then its faults are found, and what is right is told',
  (_check, _what, found, faults) => {
    expect(found.flatMap((each) => ('fault' in each ? [each.fault] : []))).toEqual(faults)
    if (faults.length === 0) expect(found.some((each) => 'ok' in each)).toBe(true)
  },
)

test('given a folder of files of another user, then root stores none there, whose folders that user could not write', () => {
  expect(isOfAnother(61_184, 0)).toBe(true)
  expect([isOfAnother(0, 0), isOfAnother(61_184, 61_184), isOfAnother(0, undefined)]).toEqual([false, false, false])
})

import { createHash } from 'node:crypto'
import { Writable } from 'node:stream'
import pino from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { openLegal } from '../../../api/features/legal/open-legal.ts'
import { aBundleFile, aPolicyDirectory, type PolicyDirectory } from '../../support/policies.ts'
import { aStartedApi } from '../writes/started-api.ts'

const api = aStartedApi()

const directories: PolicyDirectory[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) directory.remove()
})

function policiesWith(changes: Record<string, unknown>): PolicyDirectory {
  const directory = aPolicyDirectory(changes)
  directories.push(directory)
  return directory
}

const open = (directory: PolicyDirectory, { enforced = false, environment = 'local', log = api.deps.log } = {}) =>
  openLegal({
    sql: api.sql,
    log,
    config: { LEGAL_DIRECTORY: directory.path, LEGAL_ENFORCEMENT: enforced, ENVIRONMENT: environment },
  })

const draft = { status: 'draft', effectiveAt: null }

describe('openLegal', () => {
  test('keeps the digest with the text it is made of, whichever process opens the same policies', async () => {
    const directory = policiesWith({ version: 'kept' })
    const opened = await Promise.all([open(directory), open(directory), open(directory)])
    const [digest, ...others] = new Set(opened.map(({ bundle }) => bundle.digest))
    expect(others).toEqual([])
    const [row] = await api.sql<{ canonicalText: string }[]>`
      select canonical_text from legal_bundles where digest = ${digest ?? ''}`
    expect(
      `sha256:${createHash('sha256')
        .update(row?.canonicalText ?? '')
        .digest('hex')}`,
    ).toBe(digest)
  })

  test('refuses to enforce a draft, and says what to do', async () => {
    const directory = policiesWith({ ...draft, version: 'unfinished' })
    await expect(open(directory, { enforced: true })).rejects.toThrow(
      /LEGAL_ENFORCEMENT is on, but .* draft.*"approved".*turn LEGAL_ENFORCEMENT off/,
    )
  })

  test.each([
    ['an approved bundle', { version: 'a-1' }, 'production', true],
    ['a draft on a developer’s machine', { ...draft, version: 'd-1' }, 'local', true],
    ['a draft in production', { ...draft, version: 'd-2' }, 'production', false],
  ])('says whether %s can be accepted', async (_what, changes, environment, acceptanceAvailable) => {
    expect(await open(policiesWith(changes), { environment })).toMatchObject({ acceptanceAvailable, enforced: false })
  })

  test('an approved version means one bundle for ever; a draft may change', async () => {
    await open(policiesWith({ version: 'final' }))
    const changed = policiesWith({ version: 'final', acceptanceStatement: 'Another' })
    await expect(open(changed)).rejects.toThrow(
      /Version final .* approved before with other contents.*another "version"/,
    )
    await open(policiesWith({ version: 'final', ...draft }))
    await open(policiesWith({ version: 'final', ...draft, acceptanceStatement: 'Another' }))
    await open(policiesWith({ version: 'final' }))
  })

  test('warns of an approved bundle whose texts are templates', async () => {
    const lines: string[] = []
    const log = pino(
      {},
      new Writable({
        write: (chunk, _encoding, done) => {
          lines.push(String(chunk))
          done()
        },
      }),
    )
    const directory = policiesWith({ version: 'hasty' })
    await open(directory, { log })
    expect(lines.join()).not.toContain('template')
    directory.write('terms.md', '# Terms\n\nThis is a template.\n')
    directory.write('bundle.json', aBundleFile({ version: 'hasty-2' }))
    await open(directory, { log })
    expect(lines.join()).toContain('approved policies contain the template mark')
  })

  test('given a published policy or bundle, then it does not change under its hash', async () => {
    const { sql } = api.deps
    await expect(sql`update legal_documents set body = 'something else'`).rejects.toThrow(/body_of_its_hash/)
    await expect(sql`update legal_bundles set canonical_text = 'something else'`).rejects.toThrow(/text_of_its_digest/)
  })
})

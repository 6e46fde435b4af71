import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { policySlugs, policyTypes } from '../../api/domain/legal/policy-bundle.ts'

/** `bundle.json` as an operator writes it. */
export function aBundleFile(changes: Record<string, unknown> = {}) {
  const version = String(changes.version ?? '1.0.0')
  return {
    version,
    status: 'approved',
    effectiveAt: '2025-01-01T00:00:00Z',
    publishedAt: '2024-12-01T00:00:00Z',
    acceptanceStatement: 'I have read the documents and accept them.',
    documents: Object.fromEntries(
      policyTypes.map((type) => [type, { version, title: `The ${type}`, summary: `About ${type}` }]),
    ),
    ...changes,
  }
}

/** A policy directory for one test. */
export interface PolicyDirectory {
  path: string
  /** Writes a file: a text unchanged, anything else as JSON. */
  write(name: string, content: unknown): void
  remove(): void
}

/** Four policies with their version, and their approved bundle unless `changes` say otherwise. */
export function aPolicyDirectory(changes: Record<string, unknown> = {}): PolicyDirectory {
  const path = mkdtempSync(join(tmpdir(), 'task-market-policies-'))
  const write: PolicyDirectory['write'] = (name, content) => {
    const isRaw = typeof content === 'string' || content instanceof Uint8Array
    writeFileSync(join(path, name), isRaw ? content : JSON.stringify(content))
  }
  const bundle = aBundleFile(changes)
  write('bundle.json', bundle)
  for (const type of policyTypes) {
    write(`${policySlugs[type]}.md`, `# The ${type}\r\n\nVersion ${bundle.version}, “für alle”.\n`)
  }
  return { path, write, remove: () => rmSync(path, { recursive: true, force: true }) }
}

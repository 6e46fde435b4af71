import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { toPolicyBundle } from '../../domain/legal/bundle-digest.ts'
import { type PolicyBundle, type PolicyType, policySlugs, policyTypes } from '../../domain/legal/policy-bundle.ts'
import { bundleFileSchema } from './bundle-file.schemas.ts'

const MANIFEST = 'bundle.json'
const LARGEST_POLICY_BYTES = 1_000_000

/** A bundle with the texts of its policies. The key of a text is the 64 hex digits of its content hash. */
export interface ReadBundle {
  bundle: PolicyBundle
  texts: ReadonlyMap<string, Buffer>
}

/**
 * Returns the name of the file that contains a policy. Example: `policyFileOf('terms_of_service')` returns
 * `'terms.md'`.
 */
export function policyFileOf(type: PolicyType): string {
  return `${policySlugs[type]}.md`
}

/**
 * Reads `bundle.json` and the four Markdown files of a policy directory.
 * @throws Error that names the directory, every problem and the remedy of each
 */
export async function readBundle(directory: string): Promise<ReadBundle> {
  const problems: string[] = []
  const manifest = await readManifest(join(directory, MANIFEST), problems)
  const bodies = new Map<PolicyType, Buffer>()
  for (const type of policyTypes) {
    const body = await readPolicy(directory, policyFileOf(type), problems)
    if (body !== null) bodies.set(type, body)
  }
  if (manifest === null || problems.length > 0) {
    throw new Error(
      `The policies in ${directory} (LEGAL_DIRECTORY) cannot be served; docs/operate/legal.md says what belongs there:\n` +
        problems.map((problem) => `  ${problem}`).join('\n'),
    )
  }
  return assemble(manifest, bodies)
}

function assemble(manifest: z.output<typeof bundleFileSchema>, bodies: Map<PolicyType, Buffer>): ReadBundle {
  const texts = new Map<string, Buffer>()
  const documents = [...bodies].map(([type, body]) => {
    const digits = createHash('sha256').update(body).digest('hex')
    texts.set(digits, body)
    return { type, ...manifest.documents[type], contentHash: `sha256:${digits}` }
  })
  return { bundle: toPolicyBundle({ ...manifest, documents }), texts }
}

async function readManifest(file: string, problems: string[]): Promise<z.output<typeof bundleFileSchema> | null> {
  const bytes = await readOrExplain(file, MANIFEST, problems)
  if (bytes === null) return null
  const parsing = bundleFileSchema.safeParse(parseJson(bytes, problems))
  if (parsing.success) return parsing.data
  if (problems.length === 0) {
    const issues = parsing.error.issues.map(({ path, message }) => `${MANIFEST}: ${[...path, message].join(': ')}`)
    problems.push(...issues)
  }
  return null
}

function parseJson(bytes: Buffer, problems: string[]): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    problems.push(`${MANIFEST}: is no JSON (${error instanceof Error ? error.message : 'unreadable'})`)
    return null
  }
}

async function readPolicy(directory: string, name: string, problems: string[]): Promise<Buffer | null> {
  const body = await readOrExplain(join(directory, name), name, problems)
  const problem = body === null ? null : faultOf(body)
  if (problem !== null) problems.push(`${name}: ${problem}`)
  return problem === null ? body : null
}

function faultOf(body: Buffer): string | null {
  if (body.length > LARGEST_POLICY_BYTES) return `is larger than ${LARGEST_POLICY_BYTES} bytes`
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    return text.trim() === '' ? 'is empty; write the policy into it' : null
  } catch {
    return 'is no UTF-8; save it as UTF-8'
  }
}

async function readOrExplain(file: string, name: string, problems: string[]): Promise<Buffer | null> {
  try {
    return await readFile(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    problems.push(code === 'ENOENT' ? `${name}: is missing; put it there` : `${name}: cannot be read (${code})`)
    return null
  }
}

import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/client.ts'
import type { LegalPolicies } from '../../writes/legal-acceptance.ts'
import { isBundleKept, keepBundle, keepDocument } from './documents.queries.ts'
import { createLegalReceipts } from './legal-receipts.ts'
import { type ReadBundle, readBundle } from './read-bundle.ts'

/** Stands in each of the texts that come with the service, and in none that an operator wrote. */
const TEMPLATE_MARK = 'This is a template'

export interface LegalSource {
  sql: Database
  config: Pick<Config, 'LEGAL_DIRECTORY' | 'LEGAL_ENFORCEMENT' | 'ENVIRONMENT'>
  log: Logger
}

/**
 * Reads the policies, keeps them in the database and says how acceptance works in this process. A draft can be
 * accepted in the environment `local` alone, so that clients can be written against it; its receipts end with it,
 * because the status is in the digest.
 * @throws Error saying what to fix: the files, a draft that is to be enforced, a version that means two bundles
 */
export async function openLegal({ sql, config, log }: LegalSource): Promise<LegalPolicies> {
  const read = await readPolicies(config)
  const { bundle } = read
  if (bundle.status === 'approved' && isTemplate(read)) {
    log.warn({ directory: config.LEGAL_DIRECTORY }, 'approved policies still say that they are a template')
  }
  await publish(sql, read)
  log.info({ version: bundle.version, digest: bundle.digest, enforced: config.LEGAL_ENFORCEMENT }, 'policies published')
  return {
    bundle,
    acceptanceAvailable: bundle.status === 'approved' || config.ENVIRONMENT === 'local',
    enforced: config.LEGAL_ENFORCEMENT,
    receipts: createLegalReceipts(sql),
  }
}

/** Reads the policies, without keeping them. @throws Error saying what to fix: the files, a draft that is to be enforced */
export async function readPolicies(config: Pick<Config, 'LEGAL_DIRECTORY' | 'LEGAL_ENFORCEMENT'>): Promise<ReadBundle> {
  const read = await readBundle(config.LEGAL_DIRECTORY)
  if (!config.LEGAL_ENFORCEMENT || read.bundle.status === 'approved') return read
  throw new Error(
    `LEGAL_ENFORCEMENT is on, but the policies in ${config.LEGAL_DIRECTORY} are a draft, which binds no wallet. ` +
      'Set "status" in bundle.json to "approved" once they are, or turn LEGAL_ENFORCEMENT off.',
  )
}

function isTemplate({ texts }: ReadBundle): boolean {
  return [...texts.values()].some((text) => text.includes(TEMPLATE_MARK))
}

/** In one transaction: a bundle's documents are there as soon as the bundle is. */
async function publish(sql: Database, { bundle, texts }: ReadBundle): Promise<void> {
  await sql.begin(async (tx) => {
    for (const [contentHash, body] of texts) await keepDocument(tx, contentHash, body)
    await keepBundle(tx, bundle)
    if (await isBundleKept(tx, bundle.digest)) return
    throw new Error(
      `Version ${bundle.version} of the policies was approved before with other contents, and wallets may have ` +
        'accepted those. Give the changed bundle another "version" in bundle.json.',
    )
  })
}

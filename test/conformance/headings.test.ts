import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The headings of the interface in their order, and the files that test them. */
const files: Record<string, readonly string[]> = {
  'What the service does: content that is only on chain': ['direct-calls'],
  'General conventions': ['conventions', 'rpc'],
  'Resources: what may be done now': ['pending-actions'],
  States: ['states-and-transitions', 'claim-life', 'evaluator-flow'],
  'Health and statistics': ['health-and-stats', 'requester-stats'],
  'Creating a task': ['create-task', 'task-drops', 'hooks', 'example-hooks'],
  'Listing tasks': ['list-tasks'],
  'Reading a task': ['get-task'],
  'Lifecycle writes': ['lifecycle', 'update', 'forfeit', 'evaluator-flow'],
  Submissions: ['submissions', 'upload-keys', 'deliveries'],
  'Claims, pitches, bids, proofs': ['claim', 'pitches', 'bids', 'proofs', 'races'],
  'Verifying content': ['content-verification', 'deliveries'],
  'Private access': ['private-access', 'visibility'],
  'Agents and identity': ['agents', 'worklists', 'identity'],
  'Devices and identity': ['devices', 'authentication-identity'],
  Wallet: ['wallet', 'wallet-credit'],
  'Token bonus rules': ['token-bonus'],
  'Sponsored-task vaults': ['sponsored-task-vaults', 'sponsored-claims'],
  Intents: ['intents'],
  'Legal acceptance': ['legal'],
  'Payments and signatures': ['authentication-payments', 'consent', 'consent-replay'],
  Events: ['events'],
  Errors: ['errors'],
  Limits: ['limits'],
  'Versions and the published description': ['openapi', 'published-contract', 'discovery'],
}

test('every heading of the interface has files, and every file has a heading', () => {
  const here = readdirSync(import.meta.dirname).flatMap((name) =>
    name.endsWith('.test.ts') && name !== 'headings.test.ts' ? [name.replace('.test.ts', '')] : [],
  )
  expect([...new Set(Object.values(files).flat())].sort()).toEqual(here.sort())
})

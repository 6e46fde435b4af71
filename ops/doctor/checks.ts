import { analystsCheck } from './analysts.ts'
import { booksCheck } from './books.ts'
import { certificatesCheck } from './certificates.ts'
import { chainCheck } from './chain.ts'
import type { Check } from './check.ts'
import { contractsCheck } from './contracts.ts'
import { databaseCheck } from './database.ts'
import { diskCheck } from './disk.ts'
import { indexerCheck } from './indexer.ts'
import { loginsCheck } from './logins.ts'
import { relayersCheck } from './relayers.ts'
import { settingsCheck } from './settings.ts'
import { storageCheck } from './storage.ts'

/** All checks, in the order of the report. */
export const checks: readonly Check[] = [
  settingsCheck,
  databaseCheck,
  loginsCheck,
  chainCheck,
  contractsCheck,
  relayersCheck,
  storageCheck,
  indexerCheck,
  booksCheck,
  analystsCheck,
  diskCheck,
  certificatesCheck,
]

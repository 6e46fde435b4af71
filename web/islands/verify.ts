import { startVerification } from './files/verify-artifacts.ts'

/**
 * Script of pages that show delivered files. The script checks each file against the hashes in the submission's
 * manifest.
 */
startVerification()

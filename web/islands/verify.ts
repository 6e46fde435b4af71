import { startVerification } from './files/verify-artifacts.ts'

/** Script of pages with delivered files. */
startVerification()

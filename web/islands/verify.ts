import { startVerification } from './files/verify-artifacts.ts'

/** The island of pages with delivered files. */
startVerification()

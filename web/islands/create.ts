import { startCreation } from './create/creation.ts'

/** The island of the page that posts a task. */
startCreation()

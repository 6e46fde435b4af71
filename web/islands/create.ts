import { startCreation } from './create/creation.ts'

/** Script of the page that posts a task. */
startCreation()

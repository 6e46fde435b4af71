/**
 * `node scripts/doctor-page.ts`: writes docs/operate/doctor.md from the checks of `npm run doctor`. A unit test
 * compares the page with the checks.
 */
import { toDoctorPage } from './doctor/page.ts'
import { writeGenerated } from './write-generated.ts'

writeGenerated(new Map([['docs/operate/doctor.md', toDoctorPage()]]), {
  isCheck: false,
  script: 'scripts/doctor-page.ts',
  source: 'ops/doctor',
})

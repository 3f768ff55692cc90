import { expect, test } from 'vitest'
import { createProjectConfig } from './projectConfig.ts'

function projectWith(allowedOrigins: readonly string[], origin = 'https://shop.example') {
  const refused: string[] = []
  let requests = 0
  let fails = false
  const project = createProjectConfig({
    requests: {
      async project() {
        requests += 1
        if (fails) throw new Error('offline')
        return { allowedOrigins: [...allowedOrigins], socials: ['google'] }
      },
      reportIfMissing() {},
    },
    log: { info() {} },
    origin,
    refused: (detail) => refused.push(detail),
  })
  const setFails = (value: boolean) => {
    fails = value
  }
  return { project, refused, requests: () => requests, setFails }
}

test('the project is requested only once, but if the request fails, get() returns an empty project and the next call tries again', async () => {
  const { project, requests, setFails } = projectWith([])
  setFails(true)
  expect(await project.get()).toEqual({ allowedOrigins: [] })
  setFails(false)
  expect(await project.get()).toMatchObject({ socials: ['google'] })
  await project.get()
  expect(requests()).toBe(2)
})

test('checkOrigin() reports an origin only if the project does not allow it', async () => {
  const allowed = projectWith(['https://shop.example'])
  await allowed.project.checkOrigin()
  expect(allowed.refused).toEqual([])
  const other = projectWith(['https://shop.example'], 'https://evil.example')
  await other.project.checkOrigin()
  expect(other.refused).toEqual(['The origin https://evil.example is not on the allow-list of this project.'])
})

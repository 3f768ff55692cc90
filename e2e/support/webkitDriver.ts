import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { expect } from '@playwright/test'
import { findButton } from './findButton.ts'

/** Controls WebKitGTK's MiniBrowser on a virtual display through the WebDriver protocol (W3C). */
export interface WebKit {
  goto(url: string): Promise<void>
  reload(): Promise<void>
  /** Clicks the button with the given name as soon as a user could. */
  press(name: string): Promise<void>
  /** Clicks the button, again if needed, until the button `next` exists. A view that is still loading can move under the pointer. */
  pressUntil(name: string, next: string): Promise<void>
  /** Resolves once the button with the given name exists. */
  button(name: string): Promise<void>
  /** Resolves once the page contains `text`. */
  reads(text: string): Promise<void>
  /** Runs `script` in the page with the arguments `args`. Resolves to the result. */
  run<Result>(script: (...args: never[]) => Result, ...args: readonly unknown[]): Promise<Awaited<Result>>
  /** Switches to a frame in the page. `out()` switches back to the page. */
  into(selector: string): Promise<void>
  out(): Promise<void>
  /** Resolves to the handles of the open windows. `use()` switches to one of them. */
  windows(): Promise<readonly string[]>
  use(handle: string): Promise<void>
  /** Moves the pointer through the points in `way`, in viewport coordinates, and clicks at the last one. */
  moveAndPress(way: readonly { readonly x: number; readonly y: number }[]): Promise<void>
  close(): Promise<void>
}

const driver = process.env.WEBKIT_DRIVER ?? '/usr/bin/WebKitWebDriver'
const browser = process.env.WEBKIT ?? '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
const screen = process.env.XVFB ?? '/usr/bin/Xvfb'
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

/** Starts a display, a driver and a browser. `close()` stops all three. */
export async function openWebKit(): Promise<WebKit> {
  for (const [path, packageName] of [
    [driver, 'webkit2gtk-driver'],
    [screen, 'xvfb'],
  ] as const) {
    if (!existsSync(path)) throw new Error(`${path} is missing: apt-get install ${packageName}`)
  }
  const started: ChildProcess[] = []
  const stop = () => {
    for (const child of started.reverse()) child.kill()
  }
  try {
    // The X server picks a free display number and writes it to file descriptor 3.
    const x = spawn(screen, ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    started.push(x)
    const [display] = await once(createInterface(x.stdio[3] as NodeJS.ReadableStream), 'line')
    const port = await freePort()
    const process_ = spawn(driver, [`--port=${port}`], {
      stdio: 'ignore',
      env: { ...process.env, DISPLAY: `:${display}`, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
    })
    started.push(process_)
    const call = caller(`http://127.0.0.1:${port}`)
    const { sessionId } = (await listening(() =>
      call('POST', '/session', {
        capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } } },
      }),
    )) as { sessionId: string }
    const session = `/session/${sessionId}`
    await call('POST', `${session}/timeouts`, { script: 40_000, pageLoad: 40_000 })

    /** Evaluates `question` in the page on each animation frame until it returns a truthy value. */
    const when = (question: (wanted: string) => unknown, wanted: string) =>
      call('POST', `${session}/execute/async`, {
        script: `const [wanted, done] = arguments
          const look = () => { const found = (${question})(wanted); if (found) done(found); else requestAnimationFrame(look) }
          look()`,
        args: [wanted],
      })
    /** Clicks the button, again if it moved after it was found. */
    const press = async (name: string): Promise<void> => {
      for (let attempt = 1; ; attempt += 1) {
        const element = (await when(findButton, name)) as Record<string, string>
        try {
          await call('POST', `${session}/element/${element[elementKey]}/click`, {})
          return
        } catch (error) {
          // The button moved after it was found, for example because its dialog is opening.
          if (attempt === 10 || !String(error).includes('element not interactable')) throw error
        }
      }
    }
    return {
      goto: async (url) => void (await call('POST', `${session}/url`, { url })),
      reload: async () => void (await call('POST', `${session}/refresh`, {})),
      press,
      async pressUntil(name, next) {
        const find = { script: `return (${findButton})(arguments[0]) ?? null`, args: [next] }
        await expect(async () => {
          if (await call('POST', `${session}/execute/sync`, find)) return
          await press(name)
          await expect.poll(() => call('POST', `${session}/execute/sync`, find), { timeout: 5_000 }).not.toBeNull()
        }).toPass({ timeout: 60_000 })
      },
      button: async (name) => void (await when(findButton, name)),
      reads: async (text) => void (await when((wanted) => document.body.textContent.includes(wanted), text)),
      run: async (script, ...args) =>
        (await call('POST', `${session}/execute/async`, {
          script: `const done = arguments[arguments.length - 1]
            Promise.resolve((${script})(...[...arguments].slice(0, -1))).then(done, (error) => done(String(error)))`,
          args,
        })) as never,
      async into(selector) {
        const element = await call('POST', `${session}/element`, { using: 'css selector', value: selector })
        await call('POST', `${session}/frame`, { id: element })
      },
      out: async () => void (await call('POST', `${session}/frame`, { id: null })),
      windows: async () => (await call('GET', `${session}/window/handles`)) as readonly string[],
      use: async (handle) => void (await call('POST', `${session}/window`, { handle })),
      moveAndPress: async (way) =>
        void (await call('POST', `${session}/actions`, {
          actions: [
            {
              type: 'pointer',
              id: 'mouse',
              parameters: { pointerType: 'mouse' },
              actions: [
                ...way.map(({ x, y }) => ({ type: 'pointerMove', duration: 100, x: Math.round(x), y: Math.round(y) })),
                { type: 'pointerDown', button: 0 },
                { type: 'pointerUp', button: 0 },
              ],
            },
          ],
        })),
      async close() {
        await call('DELETE', session).catch(() => undefined)
        stop()
      },
    }
  } catch (error) {
    stop()
    throw error
  }
}

function caller(base: string) {
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(base + path, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
    const { value } = (await answer.json()) as { value: { error?: string; message?: string } | null }
    if (value && typeof value === 'object' && value.error) throw new Error(`${path}: ${value.error}: ${value.message}`)
    return value
  }
}

/** Retries a call until the driver accepts connections. */
async function listening<T>(ask: () => Promise<T>, tries = 100): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const refused = error instanceof TypeError && tries > 0
    if (!refused) throw error
    // Retry, because the driver does not report when it starts to listen.
    await new Promise((resolve) => setTimeout(resolve, 50))
    return listening(ask, tries - 1)
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

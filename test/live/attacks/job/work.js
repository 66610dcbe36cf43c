// SPDX-License-Identifier: BSL-1.0
'use strict';
const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const {execFileSync, spawnSync} = require('child_process');
const {Worker} = require('worker_threads');

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'job-'));
fs.writeFileSync(path.join(directory, 'a'), 'kept');
fs.renameSync(path.join(directory, 'a'), path.join(directory, 'b'));
assert.strictEqual(fs.readFileSync(path.join(directory, 'b'), 'utf8'), 'kept');
fs.rmSync(directory, {recursive: true});

assert.strictEqual(execFileSync('sh', ['-c', 'echo child'], {encoding: 'utf8'}), 'child\n');
assert.strictEqual(spawnSync('cat', {input: 'through', encoding: 'utf8'}).stdout, 'through');
const again = execFileSync(process.execPath, ['-e', 'process.stdout.write(String(6 * 7))'], {encoding: 'utf8'});

const worker = new Worker('require("worker_threads").parentPort.postMessage(9)', {eval: true});
worker.on('message', async (number) => {
  await fs.promises.writeFile('node.out', again);
  console.log('node', again, number);
});

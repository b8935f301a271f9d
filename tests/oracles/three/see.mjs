// Loads files with three.js in Node, without a window, and says where joints and vertices are.
//
//     node see.mjs FOLDER_OF_NODE_MODULES jobs.json
//
// Each job has `path`, `clip`, `times`, `vertexTimes` (seconds) and `out`, a JSON file with arrays as base64 of float64.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , modules, list] = process.argv;
const bring = (file) => import(pathToFileURL(`${modules}/node_modules/three/${file}`).href);

globalThis.self = globalThis.window = globalThis; // the loaders ask for the globals of browsers
const THREE = await bring("build/three.module.js");
const { GLTFLoader } = await bring("examples/jsm/loaders/GLTFLoader.js");
const { FBXLoader } = await bring("examples/jsm/loaders/FBXLoader.js");
THREE.TextureLoader.prototype.load = () => new THREE.Texture(); // no pictures without a window

const text = (array) => Buffer.from(new Float64Array(array).buffer).toString("base64");

function bytes(path) {
  const read = readFileSync(path);
  return read.buffer.slice(read.byteOffset, read.byteOffset + read.byteLength);
}

async function load(path) {
  if (path.toLowerCase().endsWith(".fbx")) {
    const scene = new FBXLoader().parse(bytes(path), "");
    return { scene, clips: scene.animations, name: (node) => node.userData.originalName ?? node.name };
  }
  const loader = new GLTFLoader().register(() => ({
    name: "no pictures",
    loadTexture: () => Promise.resolve(new THREE.Texture()),
  }));
  const read = await loader.parseAsync(bytes(path), "");
  const name = (node) => {
    const found = read.parser.associations.get(node);
    return found?.nodes === undefined ? node.name : (read.parser.json.nodes[found.nodes].name ?? node.name);
  };
  return { scene: read.scene, clips: read.animations, name };
}

function places(nodes) {
  const point = new THREE.Vector3();
  return nodes.flatMap((node) => point.setFromMatrixPosition(node.matrixWorld).toArray());
}

function vertices(scene) {
  const found = [];
  const point = new THREE.Vector3();
  scene.traverse((mesh) => {
    if (!mesh.isMesh) return;
    if (mesh.isSkinnedMesh) mesh.skeleton.update();
    for (let row = 0; row < mesh.geometry.attributes.position.count; row++) {
      found.push(...mesh.getVertexPosition(row, point).applyMatrix4(mesh.matrixWorld).toArray());
    }
  });
  return found;
}

async function see(job) {
  const { scene, clips, name } = await load(job.path);
  const mixer = new THREE.AnimationMixer(scene);
  const action = clips.length > job.clip ? mixer.clipAction(clips[job.clip]) : null;
  if (action) {
    action.setLoop(THREE.LoopOnce, 1); // a loop would show the first pose at the very end
    action.clampWhenFinished = true;
  }
  const nodes = [];
  scene.traverse((node) => nodes.push(node));
  const pose = (time) => {
    action?.reset().play(); // once it has come to its end it would stay there
    mixer.setTime(time);
    scene.updateMatrixWorld(true);
  };
  const positions = job.times.map((time) => (pose(time), text(places(nodes))));
  const skins = job.vertexTimes.map((time) => (pose(time), text(vertices(scene))));
  return { names: nodes.map(name), clips: clips.map((clip) => clip.name), positions, vertices: skins };
}

for (const job of JSON.parse(readFileSync(list, "utf8"))) {
  let seen;
  try {
    seen = await see(job);
  } catch (error) {
    seen = { names: [], clips: [], positions: [], vertices: [], error: String(error.stack ?? error) };
  }
  writeFileSync(job.out, JSON.stringify(seen));
}

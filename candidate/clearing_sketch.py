"""A sketch, to become generation/clearing.py: feet kept above the ground before they are planted.

With it, mean distance of the lowest foot from the ground, leg lengths: husky walk 0.052 -> 0.007, monster walk 0.072 ->
0.038 and run 0.083 -> 0.048, frog walk 0.044 -> 0.017, a chicken's run 0.071 -> 0.021 and its skate 0.121 -> 0.081.
"""

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

import kinema.generation.planting as P
from kinema import rotations
from kinema.generation.channels import CONTACT, PLACE, TURN, UPRIGHT_6D, ground_path, hips_positions
from kinema.generation.footing import find_limb

LOW, GRAZE, SIGMA = 0.2, 0.02, 2.0
def ankle_of(rig, end):
    h=rig.rest_positions[:,1]; top=h[0]; j=end
    while (p:=int(rig.parents[j]))>0 and h[p]<LOW*top: j=p
    return j
def cleared(rig, ch):
    planted=ch[...,CONTACT][...,0]>0.5
    ends=np.flatnonzero(planted.any(0)); groups={}
    for e in ends.tolist(): groups.setdefault(ankle_of(rig,e),[]).append(e)
    path,heading=ground_path(ch,rig,None)
    local=rotations.from_6d(ch[...,TURN]+UPRIGHT_6D).astype(np.float32)
    local[:,0]=rotations.multiply(rotations.from_yaw(heading),local[:,0])
    hips=hips_positions(rig,ch,path); leg=rig.rest_positions[0,1]; any_=False
    for a,es in groups.items():
        limb=find_limb(rig,a)
        if limb is None: continue
        sub=np.zeros(rig.count,bool); sub[a]=True
        for j in range(1,rig.count): sub[j]|=sub[rig.parents[j]]
        js=np.flatnonzero(sub); m=np.minimum(rig.rest_positions[js,1],GRAZE*leg)
        turns,pos=rig.forward(local,hips)
        sink=np.maximum((m-pos[:,js,1]).max(1),0)
        if sink.max()<1e-4: continue
        any_=True
        rise=gaussian_filter1d(maximum_filter1d(sink,2*round(2*SIGMA)+1),SIGMA)
        goal=pos[:,a].astype(float).copy(); goal[:,1]+=rise
        before=pos[:,es].mean(1).astype(float)
        P._reach(rig,limb,local,turns,pos,goal)
        if a not in es:
            turns,pos2=rig.forward(local,hips)
            floor=float(np.mean(np.minimum(rig.rest_positions[es,1],GRAZE*leg)))
            want=before.copy(); want[:,1]=np.maximum(want[:,1],floor)
            now=pos2[:,es].mean(1)-pos2[:,a]; to=want-pos2[:,a]
            rot=rotations.between(now.astype(float),to)
            P._turn(rig,local,turns,a,rot)
    if not any_: return ch
    out=ch.copy(); _,pos=rig.forward(local,hips)
    local[:,0]=rotations.multiply(rotations.from_yaw(-heading),local[:,0])
    out[...,TURN]=rotations.to_6d(local)-UPRIGHT_6D
    around=rotations.rotate_yaw(-heading[:,None],pos-pos[:,:1])
    out[...,PLACE]=around+rig.rest_positions[0]-rig.rest_positions
    return out

# Says where Godot puts the bones of imported scenes: godot3-server --path PROJECT -s see.gd
# jobs.json beside it lists scenes with the seconds at which their first animation is asked for; seen.json is written.
extends SceneTree


func find(node, kind):
	if node.is_class(kind):
		return node
	for child in node.get_children():
		var found = find(child, kind)
		if found:
			return found
	return null


func see(job):
	var scene = load("res://" + job["file"]).instance()
	get_root().add_child(scene)
	var skeleton = find(scene, "Skeleton")
	var player = find(scene, "AnimationPlayer")
	var names = []
	for bone in skeleton.get_bone_count():
		names.append(skeleton.get_bone_name(bone))
	var poses = []
	var clips = []
	var tracks = []
	if player:
		clips = Array(player.get_animation_list())
		var animation = player.get_animation(clips[0])
		for track in animation.get_track_count():
			tracks.append(str(animation.track_get_path(track)))
		player.play(clips[0])
	for time in job["times"]:
		if player:
			player.seek(time, true)
		var places = []
		for bone in skeleton.get_bone_count():
			var at = skeleton.global_transform.xform(skeleton.get_bone_global_pose(bone).origin)
			places.append([at.x, at.y, at.z])
		poses.append(places)
	return {"names": names, "clips": clips, "tracks": tracks, "positions": poses}


func _init():
	var file = File.new()
	file.open("res://jobs.json", File.READ)
	var jobs = JSON.parse(file.get_as_text()).result
	file.close()
	var seen = []
	for job in jobs:
		seen.append(see(job))
	file.open("res://seen.json", File.WRITE)
	file.store_string(JSON.print(seen))
	file.close()
	quit()
